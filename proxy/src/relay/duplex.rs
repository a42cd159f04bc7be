//! Both directions of a connection in one task, until it is over.

use std::future::{pending, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use parallax_codec::classic::Direction;

use super::activity::Activity;
use super::connection_tap::ConnectionTap;
use super::in_path::{CutOnPurpose, InPath};
use super::pump::{Fault, Lane, Sink, Source, carry};
use super::shutdown::Shutdown;
use super::{CloseReason, Side};
use crate::tls::{TlsFailure, by_client, by_server};

/// What the duplex works with besides its two ends.
pub(super) struct Surroundings<'a> {
    pub(super) activity: &'a Activity,
    pub(super) tap: Option<&'a ConnectionTap>,
    /// Where frames are looked at on the way.
    pub(super) in_path: Option<&'a InPath>,
    pub(super) shutdown: &'a Shutdown,
    pub(super) half_closed_idle: Duration,
    pub(super) drain_quiet: Duration,
}

/// Relays until both ends have closed, one has failed, or somebody says stop.
///
/// The ends are left as they are: resetting or closing them is the caller's.
pub(super) async fn duplex<CR: Source, SR: Source>(
    client: (CR, impl Sink),
    server: (SR, impl Sink),
    around: Surroundings<'_>,
) -> CloseReason {
    let Surroundings {
        activity,
        tap,
        in_path,
        shutdown,
        ..
    } = around;
    let lane = |direction| Lane {
        direction,
        activity,
        tap,
    };
    let (to_server, to_client) = (lane(Direction::ToServer), lane(Direction::ToClient));
    let mut up = pin!(carry(client.0, server.1, to_server, in_path));
    let mut down = pin!(carry(server.0, client.1, to_client, in_path));
    // An end that has closed its half leaves its source here, to be watched.
    let mut client: Option<CR> = None;
    let mut server: Option<SR> = None;
    let mut draining = false;
    loop {
        let half_closed = client.is_some() || server.is_some();
        return tokio::select! {
            biased;
            result = &mut up, if client.is_none() => match result {
                Ok(_) if let Some(server) = &server => closed(Side::Server, server),
                Ok(source) => {
                    client = Some(source);
                    activity.watch();
                    continue;
                }
                Err(fault) => {
                    if fault.by == Side::Server && server.is_none() {
                        last_turn(down).await;
                    }
                    reason(fault)
                }
            },
            result = &mut down, if server.is_none() => match result {
                Ok(_) if let Some(client) = &client => closed(Side::Client, client),
                Ok(source) => {
                    server = Some(source);
                    activity.watch();
                    continue;
                }
                Err(fault) => {
                    if fault.by == Side::Client && client.is_none() {
                        last_turn(up).await;
                    }
                    reason(fault)
                }
            },
            error = failure(client.as_ref()), if half_closed => {
                reason(Fault { by: Side::Client, error })
            }
            error = failure(server.as_ref()), if half_closed => {
                reason(Fault { by: Side::Server, error })
            }
            () = activity.silence(around.half_closed_idle), if half_closed => CloseReason::Reaped,
            () = shutdown.draining(), if !draining => {
                draining = true;
                activity.watch();
                continue;
            }
            () = activity.answered(around.drain_quiet), if draining => CloseReason::Drained,
            () = shutdown.halted(), if draining => CloseReason::Halted,
        };
    }
}

/// Both ends have closed, this one first.
fn closed(by: Side, source: &impl Source) -> CloseReason {
    match by {
        _ if source.is_cut_off() => CloseReason::CutOff { by },
        Side::Client => CloseReason::ClientClosed,
        Side::Server => CloseReason::ServerClosed,
    }
}

/// What an end had sent before it failed still goes on, as far as it can now.
async fn last_turn<F: Future>(mut direction: Pin<&mut F>) {
    poll_fn(|cx| {
        let _ = direction.as_mut().poll(cx);
        Poll::Ready(())
    })
    .await;
}

pub(super) fn reason(Fault { by, error }: Fault) -> CloseReason {
    use io::ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionReset, InvalidData, NotConnected,
    };
    let on_purpose = error
        .get_ref()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<CutOnPurpose>);
    if on_purpose {
        return CloseReason::CutOnPurpose;
    }
    let tls = match by {
        // What the library for TLS says; no system says that.
        _ if error.kind() != InvalidData => None,
        Side::Client => by_client(&error),
        Side::Server => by_server(&error),
    };
    if let Some(TlsFailure { fault, message }) = tls {
        return CloseReason::Tls { by, fault, message };
    }
    match error.kind() {
        BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected => {
            CloseReason::Reset { by }
        }
        _ => CloseReason::Failed {
            by,
            error: error.to_string(),
        },
    }
}

/// The failure of an end that has closed its half.
async fn failure<R: Source>(source: Option<&R>) -> io::Error {
    match source {
        Some(source) => source.failed().await,
        None => pending().await,
    }
}
