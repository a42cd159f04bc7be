//! The two ends of a connection, from an accepted client on.

use tokio::net::TcpStream;

use super::connection::Connection;
use super::dial::dial;
use super::duplex::reason;
use super::end::End;
use super::handshake::{accept, connect};
use super::pump::Fault;
use super::socket::{failed, tune};
use super::{CloseReason, Side};

impl Connection {
    /// Both ends, ready to be relayed between: a client that is to speak TLS does so before the
    /// server is dialled.
    pub(super) async fn establish(&self, client: TcpStream) -> Result<(End, End), CloseReason> {
        self.tuned(&client, Side::Client)?;
        let mut client = self.client_end(client).await?;
        let server = tokio::select! {
            // A server that is there is told how the client ended.
            biased;
            server = self.server_end() => server,
            error = failed(client.socket()) => Err(reason(Fault { by: Side::Client, error })),
            () = self.shutdown.halted() => Err(CloseReason::Halted),
        };
        match server {
            Ok(server) => Ok((client, server)),
            Err(reason) => {
                client.finish().await;
                Err(reason)
            }
        }
    }

    async fn client_end(&self, client: TcpStream) -> Result<End, CloseReason> {
        let Some(tls) = &self.config.tls.downstream else {
            return Ok(End::Plain(client));
        };
        let accepted = tokio::select! {
            accepted = accept(client, tls, self.config.handshake_timeout) => accepted,
            () = self.shutdown.halted() => return Err(CloseReason::Halted),
        };
        let (end, session) = accepted?;
        if let Some(tap) = &self.tap {
            tap.secured(Side::Client, session);
        }
        Ok(End::Tls(Box::new(end)))
    }

    async fn server_end(&self) -> Result<End, CloseReason> {
        let config = &*self.config;
        let dialled = dial(&config.upstream, &self.own, config.dial_timeout).await;
        let server = dialled.map_err(|error| {
            self.counters.upstream_failures.add(1);
            CloseReason::UpstreamUnavailable {
                fault: error.fault,
                message: error.message,
            }
        })?;
        self.tuned(&server, Side::Server)?;
        if let Some(tap) = &self.tap
            && let (Ok(upstream), Ok(local)) = (server.peer_addr(), server.local_addr())
        {
            tap.connected(upstream, local);
        }
        let Some(tls) = &config.tls.upstream else {
            return Ok(End::Plain(server));
        };
        let connected = connect(server, &config.upstream, tls, config.handshake_timeout).await;
        let (end, session) = connected?;
        if let Some(tap) = &self.tap {
            tap.secured(Side::Server, session);
        }
        Ok(End::Tls(Box::new(end)))
    }

    fn tuned(&self, stream: &TcpStream, by: Side) -> Result<(), CloseReason> {
        tune(stream, &self.config).map_err(|error| reason(Fault { by, error }))
    }
}
