//! A listener that accepts so many connections at a time.

use std::io::{IoSlice, Result};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Connections beyond the limit wait to be accepted.
pub(crate) struct Limited {
    listener: TcpListener,
    room: Arc<Semaphore>,
}

/// A connection, and its place among so many.
pub(crate) struct Placed {
    stream: TcpStream,
    _place: Option<OwnedSemaphorePermit>,
}

impl Limited {
    pub(crate) fn new(listener: TcpListener, limit: usize) -> Self {
        Self {
            listener,
            room: Arc::new(Semaphore::new(limit)),
        }
    }
}

impl Listener for Limited {
    type Io = Placed;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Placed, SocketAddr) {
        // The semaphore is never closed, so there is always a place in the end.
        let place = Arc::clone(&self.room).acquire_owned().await.ok();
        // This one waits and tries again where accepting fails.
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let placed = Placed {
            stream,
            _place: place,
        };
        (placed, address)
    }

    fn local_addr(&self) -> Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl AsyncRead for Placed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Placed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::Limited;
    use axum::serve::Listener as _;
    use std::task::Poll;
    use tokio::net::{TcpListener, TcpStream};

    #[tokio::test]
    async fn one_connection_too_many_waits_until_another_ends() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut limited = Limited::new(listener, 1);
        let first_client = TcpStream::connect(address).await.unwrap();
        let (first, from) = limited.accept().await;
        assert_eq!(from, first_client.local_addr().unwrap());
        let second_client = TcpStream::connect(address).await.unwrap();
        {
            let mut second = Box::pin(limited.accept());
            let polled = std::future::poll_fn(|context| Poll::Ready(second.as_mut().poll(context)));
            assert!(polled.await.is_pending());
        }
        drop(first);
        let (_, from) = limited.accept().await;
        assert_eq!(from, second_client.local_addr().unwrap());
    }
}
