//! Ends that behave as badly as a socket may.

use std::future::pending;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, ReadHalf, WriteHalf};

use crate::relay::pump::{Sink, Source};

/// Yields `left` pseudo-random bytes in pieces of random length, and waits at random.
pub(super) struct WeirdSource {
    content: StdRng,
    chance: StdRng,
    left: usize,
    largest: usize,
    sent: Arc<Mutex<Sha256>>,
}

/// Takes a random number of bytes at a time, waits at random, and hashes them.
pub(super) struct WeirdSink {
    chance: StdRng,
    largest: usize,
    pub(super) taken: Arc<Mutex<Sha256>>,
    pub(super) ended: Arc<Mutex<bool>>,
}

impl WeirdSource {
    pub(super) fn new(seed: u64, length: usize, largest: usize) -> (Self, Arc<Mutex<Sha256>>) {
        let sent = Arc::new(Mutex::new(Sha256::new()));
        let source = Self {
            content: StdRng::seed_from_u64(seed),
            chance: StdRng::seed_from_u64(!seed),
            left: length,
            largest,
            sent: Arc::clone(&sent),
        };
        (source, sent)
    }
}

impl WeirdSink {
    pub(super) fn new(seed: u64, largest: usize) -> Self {
        Self {
            chance: StdRng::seed_from_u64(seed ^ 0xA5A5),
            largest,
            taken: Arc::default(),
            ended: Arc::default(),
        }
    }
}

/// Waits once in three times, woken again at once.
fn waits(chance: &mut StdRng, cx: &Context<'_>) -> bool {
    let waits = chance.random_ratio(1, 3);
    if waits {
        cx.waker().wake_by_ref();
    }
    waits
}

impl AsyncRead for WeirdSource {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if waits(&mut this.chance, cx) {
            return Poll::Pending;
        }
        let most = this.left.min(buffer.remaining()).min(this.largest);
        if most > 0 {
            let count = this.chance.random_range(1..=most);
            let piece = buffer.initialize_unfilled_to(count);
            this.content.fill(piece);
            this.sent.lock().unwrap().update(&*piece);
            buffer.advance(count);
            this.left -= count;
        }
        Poll::Ready(Ok(()))
    }
}

impl Source for WeirdSource {
    fn poll_readable(&self, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    async fn failed(&self) -> io::Error {
        pending().await
    }
}

impl Sink for WeirdSink {}

impl AsyncWrite for WeirdSink {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        if waits(&mut this.chance, cx) {
            return Poll::Pending;
        }
        assert!(!*this.ended.lock().unwrap(), "written to after its end");
        let count = this.chance.random_range(1..=bytes.len().min(this.largest));
        this.taken.lock().unwrap().update(&bytes[..count]);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if waits(&mut self.chance, cx) {
            return Poll::Pending;
        }
        *self.ended.lock().unwrap() = true;
        Poll::Ready(Ok(()))
    }
}

/// Always has as much as fits, and counts it.
pub(super) struct EndlessSource(Arc<AtomicUsize>);

impl EndlessSource {
    pub(super) fn new() -> (Self, Arc<AtomicUsize>) {
        let read = Arc::new(AtomicUsize::new(0));
        (Self(Arc::clone(&read)), read)
    }
}

impl AsyncRead for EndlessSource {
    fn poll_read(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let count = buffer.initialize_unfilled().len();
        buffer.advance(count);
        self.0.fetch_add(count, Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }
}

impl Source for EndlessSource {
    fn poll_readable(&self, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    async fn failed(&self) -> io::Error {
        pending().await
    }
}

/// Takes so many bytes and not one more.
pub(super) struct StubbornSink(pub(super) usize);

impl Sink for StubbornSink {}

impl AsyncWrite for StubbornSink {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let count = bytes.len().min(self.0);
        if count == 0 {
            return Poll::Pending;
        }
        self.0 -= count;
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl Sink for WriteHalf<DuplexStream> {}

/// The pipe of tokio as an end, for tests that stop the clock.
impl Source for ReadHalf<DuplexStream> {
    fn poll_readable(&self, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    async fn failed(&self) -> io::Error {
        pending().await
    }
}
