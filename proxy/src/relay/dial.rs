//! Reaching the upstream server, and saying why not.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

/// Why the upstream server was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DialFault {
    /// The address leads back to the relay's own listener.
    Itself,
    /// This process has no file descriptor left.
    NoDescriptor,
    /// Any other failure to connect.
    Other,
    /// Nobody listens there.
    Refused,
    /// No answer in time.
    TimedOut,
    /// There is no way to that address.
    Unreachable,
    /// The name has no address.
    Unresolved,
}

/// A dial that failed: the kind, and a sentence with address, cause and advice.
#[derive(Debug)]
pub(super) struct DialError {
    pub(super) fault: DialFault,
    pub(super) message: String,
}

/// Connects to `host:port`, never to one of the listeners at `own`.
pub(super) async fn dial(
    upstream: &str,
    own: &[SocketAddr],
    limit: Duration,
) -> Result<TcpStream, DialError> {
    match timeout(limit, connect(upstream, own)).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err((fault, cause))) => Err(explain(upstream, fault, &cause)),
        Err(_) => {
            let cause = format!("no answer within {limit:?}");
            Err(explain(upstream, DialFault::TimedOut, &cause))
        }
    }
}

/// Whether connecting to `target` would reach the listener at `own`.
pub(crate) fn is_itself(own: SocketAddr, target: SocketAddr) -> bool {
    let (listens, asked) = (own.ip().to_canonical(), target.ip().to_canonical());
    own.port() == target.port()
        && (listens == asked
            // An unspecified target is this machine's loopback.
            || (asked.is_unspecified() && (listens.is_loopback() || listens.is_unspecified()))
            || (listens.is_unspecified() && is_local(asked)))
}

async fn connect(upstream: &str, own: &[SocketAddr]) -> Result<TcpStream, (DialFault, String)> {
    let unresolved = |cause: String| (DialFault::Unresolved, cause);
    let mut failure = unresolved("the name has no address".to_owned());
    let targets = lookup_host(upstream)
        .await
        .map_err(|error| unresolved(error.to_string()))?;
    for target in targets {
        if own.iter().any(|own| is_itself(*own, target)) {
            let cause = format!("{target} is the address that parallax itself listens on");
            failure = (DialFault::Itself, cause);
            continue;
        }
        match TcpStream::connect(target).await {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = (fault(&error), error.to_string()),
        }
    }
    Err(failure)
}

fn fault(error: &io::Error) -> DialFault {
    use io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable, TimedOut};
    match error.kind() {
        ConnectionRefused => DialFault::Refused,
        HostUnreachable | NetworkUnreachable => DialFault::Unreachable,
        TimedOut => DialFault::TimedOut,
        // EMFILE and ENFILE have no stable kind of their own.
        _ if matches!(error.raw_os_error(), Some(23 | 24)) => DialFault::NoDescriptor,
        _ => DialFault::Other,
    }
}

fn explain(upstream: &str, fault: DialFault, cause: &str) -> DialError {
    let advice = match fault {
        DialFault::Itself => "Point the upstream at the Iggy server",
        DialFault::NoDescriptor => {
            "Raise the limit of open files (ulimit -n); each client needs two"
        }
        DialFault::Other => "Check the address, and that the Iggy server runs there",
        DialFault::Refused => {
            "Is the Iggy server running, and is this the address of its TCP listener?"
        }
        DialFault::TimedOut => {
            "Check the address, that the server is not overloaded, and that no firewall \
             swallows the connection"
        }
        DialFault::Unreachable => "Check the address and this machine's network",
        DialFault::Unresolved => "Check the spelling of the name, and host:port as its form",
    };
    DialError {
        fault,
        message: format!("cannot reach the upstream server {upstream}: {cause}. {advice}"),
    }
}

/// Whether an address is one of this machine's: only those can be listened on.
fn is_local(address: IpAddr) -> bool {
    let loopback = [
        IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::LOCALHOST),
    ];
    loopback.contains(&address) || TcpListener::bind((address, 0)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_knows_the_addresses_that_lead_back_to_it() {
        for (own, target, expected) in [
            ("127.0.0.1:8190", "127.0.0.1:8190", true),
            ("127.0.0.1:8190", "127.0.0.1:8090", false),
            ("127.0.0.1:8190", "127.0.0.2:8190", false),
            ("127.0.0.1:8190", "[::ffff:127.0.0.1]:8190", true),
            ("127.0.0.1:8190", "0.0.0.0:8190", true),
            ("0.0.0.0:8190", "127.0.0.1:8190", true),
            ("0.0.0.0:8190", "127.0.0.9:8190", true),
            ("0.0.0.0:8190", "0.0.0.0:8190", true),
            ("[::]:8190", "127.0.0.1:8190", true),
            // Reserved for documentation, so no machine's own.
            ("0.0.0.0:8190", "192.0.2.1:8190", false),
        ] {
            let verdict = is_itself(own.parse().unwrap(), target.parse().unwrap());
            assert_eq!(verdict, expected, "{own} asked for {target}");
        }
    }
}
