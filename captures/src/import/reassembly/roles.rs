//! Who is the client.

use std::net::SocketAddr;

use crate::import::packets::Segment;

/// Ports from here on are handed out to clients by the system (Linux'
/// `ip_local_port_range` begins at 32768, the IANA's range at 49152).
const FIRST_EPHEMERAL_PORT: u16 = 32768;

/// What is known about who serves.
#[derive(Debug)]
pub(super) struct Roles {
    server_ports: Vec<u16>,
}

impl Roles {
    pub(super) fn new(server_ports: &[u16]) -> Self {
        Self {
            server_ports: server_ports.to_vec(),
        }
    }

    /// Client and server of a stream by its first segment. The one that sent a
    /// SYN is the client, the one that answered it the server. Begun mid-stream,
    /// a known port tells, else which port is one that systems hand out, else
    /// the one that sent first is the client.
    pub(super) fn of(&self, segment: &Segment) -> (SocketAddr, SocketAddr) {
        let (source, destination) = (segment.source, segment.destination);
        let source_serves = if segment.flags.syn {
            segment.acknowledgment.is_some()
        } else {
            let (known_source, known_destination) = (self.knows(source), self.knows(destination));
            if known_source == known_destination {
                source.port() < FIRST_EPHEMERAL_PORT && destination.port() >= FIRST_EPHEMERAL_PORT
            } else {
                known_source
            }
        };
        if source_serves {
            (destination, source)
        } else {
            (source, destination)
        }
    }

    fn knows(&self, address: SocketAddr) -> bool {
        self.server_ports.contains(&address.port())
    }
}
