//! An end that speaks TLS: what goes over the socket is not what is relayed.

use std::io;
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use socket2::SockRef;
use tokio::io::{AsyncBufRead as _, AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsStream;

use super::pump::{Sink, Source};
use super::socket::failed;

/// A connection whose handshake is done.
#[derive(Debug)]
pub(super) struct TlsEnd {
    socket: Arc<TcpStream>,
    /// Both directions are of one task, so nobody ever waits for it.
    stream: Mutex<TlsStream<Socket>>,
    /// The other end has closed without saying so (`close_notify`).
    was_cut_off: AtomicBool,
    /// This end is to close without saying so.
    cuts_off: AtomicBool,
}

impl TlsEnd {
    pub(super) fn new(socket: Arc<TcpStream>, stream: TlsStream<Socket>) -> Self {
        Self {
            socket,
            stream: Mutex::new(stream),
            was_cut_off: AtomicBool::new(false),
            cuts_off: AtomicBool::new(false),
        }
    }

    pub(super) fn socket(&self) -> &TcpStream {
        &self.socket
    }

    /// What is read from, and what is written to.
    pub(super) const fn split(&self) -> (TlsHalf<'_>, TlsHalf<'_>) {
        (TlsHalf(self), TlsHalf(self))
    }

    fn stream(&self) -> MutexGuard<'_, TlsStream<Socket>> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One direction of it.
#[derive(Debug)]
pub(super) struct TlsHalf<'a>(&'a TlsEnd);

impl Source for TlsHalf<'_> {
    /// Takes in what there is of records, so that memory for what is in them is taken only
    /// once there is something in them.
    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_cut_off() {
            return Poll::Ready(Ok(()));
        }
        match ready!(Pin::new(&mut *self.0.stream()).poll_fill_buf(cx)) {
            Ok(_) => Poll::Ready(Ok(())),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                self.0.was_cut_off.store(true, Ordering::Relaxed);
                Poll::Ready(Ok(()))
            }
            Err(error) => Poll::Ready(Err(error)),
        }
    }

    async fn failed(&self) -> io::Error {
        failed(&self.0.socket).await
    }

    fn is_cut_off(&self) -> bool {
        self.0.was_cut_off.load(Ordering::Relaxed)
    }
}

impl AsyncRead for TlsHalf<'_> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_cut_off() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut *self.0.stream()).poll_read(cx, buffer)
    }
}

impl Sink for TlsHalf<'_> {
    fn cut_off(&mut self) {
        self.0.cuts_off.store(true, Ordering::Relaxed);
    }
}

impl AsyncWrite for TlsHalf<'_> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0.stream()).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0.stream()).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.0.cuts_off.load(Ordering::Relaxed) {
            return Poll::Ready(end_sending(&self.0.socket));
        }
        Pin::new(&mut *self.0.stream()).poll_shutdown(cx)
    }
}

/// The socket under it, which others watch as well.
#[derive(Debug)]
pub(super) struct Socket(Arc<TcpStream>);

impl Socket {
    pub(super) const fn new(socket: Arc<TcpStream>) -> Self {
        Self(socket)
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.poll_read_ready(cx))?;
            match self.0.try_read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
                Ok(count) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(cx))?;
            match self.0.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return Poll::Ready(result),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(end_sending(&self.0))
    }
}

fn end_sending(socket: &TcpStream) -> io::Result<()> {
    SockRef::from(socket).shutdown(Shutdown::Write)
}
