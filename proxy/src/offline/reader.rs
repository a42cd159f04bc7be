//! Reads a capture in a thread of its own: unpacking and parsing go on beside
//! decoding, and a capture that is still being made can be waited for.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use parallax_captures::import::ImportError;
use parallax_captures::import::packets::{PacketCounts, PacketReader, Segment};

use crate::limits::{BATCH_BYTES, BATCH_SEGMENTS, BATCHES_WAITING, LIVE_PATIENCE};

/// What comes next of a capture.
pub(super) enum Batch {
    /// Segments, in the order of the file, and what was read so far.
    Segments(Vec<Segment>, PacketCounts),
    /// Nothing for a while.
    Nothing,
    /// Nothing any more: the end, or damage.
    End(Option<ImportError>),
}

/// Hands out what the thread has read.
pub(super) struct BatchReader {
    batches: Receiver<Batch>,
    live: bool,
    started: Instant,
    stop: Arc<AtomicBool>,
    /// When it was first seen that it is to stop.
    stopped: Cell<Option<Instant>>,
}

impl BatchReader {
    /// Begins to read. The thread ends with the capture, or when nobody waits for its
    /// next batch.
    pub(super) fn start(
        packets: PacketReader,
        live: bool,
        stop: Arc<AtomicBool>,
    ) -> std::io::Result<Self> {
        let (sender, batches) = sync_channel(BATCHES_WAITING);
        thread::Builder::new()
            .name("capture".to_owned())
            .spawn(move || read(packets, &sender))?;
        Ok(Self {
            batches,
            live,
            started: Instant::now(),
            stop,
            stopped: Cell::new(None),
        })
    }

    /// The time since it began to read.
    pub(super) fn clock(&self) -> Duration {
        self.started.elapsed()
    }

    pub(super) fn next(&self) -> Batch {
        if self.stop.load(Ordering::Relaxed) && self.stopped.get().is_none() {
            self.stopped.set(Some(Instant::now()));
        }
        let is_patient = |since: Instant| since.elapsed() < LIVE_PATIENCE;
        if self.stopped.get().is_some_and(|since| !is_patient(since)) {
            return Batch::End(None);
        }
        let next = if self.live {
            self.batches.recv_timeout(LIVE_PATIENCE / 4)
        } else {
            self.batches.recv().map_err(RecvTimeoutError::from)
        };
        match next {
            Ok(batch) => batch,
            // Whoever writes may have been told to stop as well: the rest is read first.
            Err(RecvTimeoutError::Timeout) if self.stopped.get().is_some() => Batch::End(None),
            Err(RecvTimeoutError::Timeout) => Batch::Nothing,
            // A thread that ends has said so before, unless it failed.
            Err(RecvTimeoutError::Disconnected) => {
                let source = std::io::Error::other("the thread that reads has failed");
                let position = 0;
                Batch::End(Some(ImportError::Read { position, source }))
            }
        }
    }
}

fn read(mut packets: PacketReader, sender: &SyncSender<Batch>) {
    let mut segments = Vec::new();
    let mut bytes = 0;
    let mut damage = None;
    while let Some(next) = packets.next() {
        match next {
            Ok(segment) => {
                bytes += segment.payload.len();
                segments.push(segment);
            }
            Err(error) => damage = Some(error),
        }
        let is_full = segments.len() >= BATCH_SEGMENTS || bytes >= BATCH_BYTES;
        // What was read goes on before more is waited for.
        if is_full || !packets.has_next_at_hand() {
            bytes = 0;
            let batch = Batch::Segments(std::mem::take(&mut segments), packets.counts());
            if sender.send(batch).is_err() {
                return;
            }
        }
    }
    // Nobody may be there to hear it.
    let _ = sender.send(Batch::Segments(segments, packets.counts()));
    let _ = sender.send(Batch::End(damage));
}
