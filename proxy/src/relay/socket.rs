//! What the relay asks of its TCP sockets.

use std::future::pending;
use std::io;
use std::task::{Context, Poll};

use socket2::{SockRef, TcpKeepalive};
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};

use super::RelayConfig;
use super::pump::{Sink, Source};

/// Small frames go out at once, and a vanished peer is noticed.
pub(super) fn tune(stream: &TcpStream, config: &RelayConfig) -> io::Result<()> {
    let socket = SockRef::from(stream);
    socket.set_tcp_nodelay(true)?;
    let keepalive = TcpKeepalive::new()
        .with_time(config.keepalive_idle)
        .with_interval(config.keepalive_interval);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(any(target_os = "android", target_os = "linux"))]
    socket.set_tcp_user_timeout(Some(config.peer_silence))?;
    Ok(())
}

impl Source for ReadHalf<'_> {
    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.as_ref().poll_read_ready(cx)
    }

    async fn failed(&self) -> io::Error {
        failed(self.as_ref()).await
    }

    async fn ended(&self) {
        let next = self.as_ref().peek(&mut [0]).await;
        if !matches!(next, Ok(0)) {
            pending::<()>().await;
        }
    }
}

impl Sink for WriteHalf<'_> {}

/// Waits for a connection to fail, whatever waits in it to be read.
pub(super) async fn failed(stream: &TcpStream) -> io::Error {
    match stream.ready(Interest::ERROR).await {
        Err(error) => error,
        Ok(_) => match stream.take_error() {
            Ok(Some(error)) | Err(error) => error,
            Ok(None) => io::ErrorKind::ConnectionReset.into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;
    use crate::limits::{KEEPALIVE_IDLE, KEEPALIVE_INTERVAL, PEER_SILENCE};

    #[tokio::test]
    async fn a_tuned_socket_sends_at_once_and_asks_after_its_peer() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stream = TcpStream::connect(address).await.unwrap();
        tune(&stream, &RelayConfig::new("127.0.0.1:1")).unwrap();
        let socket = SockRef::from(&stream);
        assert!(socket.tcp_nodelay().unwrap());
        assert!(socket.keepalive().unwrap());
        assert_eq!(socket.tcp_keepalive_time().unwrap(), KEEPALIVE_IDLE);
        assert_eq!(socket.tcp_keepalive_interval().unwrap(), KEEPALIVE_INTERVAL);
        #[cfg(any(target_os = "android", target_os = "linux"))]
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(PEER_SILENCE));
    }
}
