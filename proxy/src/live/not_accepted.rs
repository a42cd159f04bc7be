//! PX902: clients that the system does not hand over.

use std::net::SocketAddr;

use jiff::Timestamp;
use parallax_captures::Finding;
use parallax_captures::catalog::CANNOT_ACCEPT;

/// What is told when clients of this listener are not let in.
pub(super) fn cannot_accept(listener: SocketAddr, error: &str, time: Timestamp) -> Finding {
    let evidence = vec![
        format!("a client of {listener} could not be accepted: {error}"),
        "who waits is not known: the system does not say so before it lets a client in".to_owned(),
    ];
    Finding::of_parallax(
        CANNOT_ACCEPT,
        format!("listener {listener}"),
        time,
        evidence,
    )
}
