//! One direction of a connection whose frames are looked at: read, ask, then do what is
//! said, step by step.

use std::future::poll_fn;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::classic::Direction;
use tokio::io::AsyncReadExt as _;
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::sleep;

use super::conversation::Conversation;
use super::steps::Step;
use super::{Interceptor, Note};
use crate::limits::{IN_PATH_HOLD, READS_PER_TURN};
use crate::relay::Side;
use crate::relay::buffer::ReadBuffer;
use crate::relay::connection_tap::ConnectionTap;
use crate::relay::counters::Counters;
use crate::relay::overload::Unsaid;
use crate::relay::pump::{Fault, Lane, Sink, Source, pass_on, pass_on_end, wait_for_room};

/// What both directions of a connection share.
#[derive(Debug)]
pub(in crate::relay) struct InPath {
    /// Both directions are of one task, so nobody ever waits for it.
    conversation: Mutex<Conversation>,
    counters: Arc<Counters>,
    /// Told when there is something for the client besides the server's replies.
    own: Notify,
    /// Told when that was given.
    given: Notify,
    /// The client is given nothing any more.
    is_over: AtomicBool,
}

/// The end of a connection that was asked for.
#[derive(Debug, thiserror::Error)]
#[error("cut on purpose")]
pub(in crate::relay) struct CutOnPurpose;

impl InPath {
    pub(in crate::relay) fn new(
        interceptors: Arc<[Arc<dyn Interceptor>]>,
        counters: Arc<Counters>,
    ) -> Self {
        Self {
            conversation: Mutex::new(Conversation::new(interceptors)),
            counters,
            own: Notify::new(),
            given: Notify::new(),
            is_over: AtomicBool::new(false),
        }
    }

    fn conversation(&self) -> MutexGuard<'_, Conversation> {
        self.conversation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn has_own(&self) -> bool {
        !self.conversation().own.is_empty()
    }

    fn take(&self, direction: Direction, chunk: Bytes) -> Vec<Step> {
        let mut conversation = self.conversation();
        let steps = match direction {
            Direction::ToServer => conversation.requests(chunk),
            Direction::ToClient => conversation.replies(chunk),
        };
        let too_long = std::mem::take(&mut conversation.too_long);
        self.counters.in_path_too_long.add(too_long);
        if let Some(why) = conversation.take_unread() {
            self.counters.in_path_unread.add(1);
            tracing::warn!("frames of a connection are no longer looked at in the path: {why}");
        }
        steps
    }
}

/// Moves bytes as [`pump`](crate::relay::pump::pump) does, with whatever is decided about
/// the frames among them.
pub(in crate::relay) async fn pump<R: Source, W: Sink>(
    source: R,
    sink: W,
    lane: Lane<'_>,
    in_path: &InPath,
) -> Result<R, Fault> {
    let mut way = Way {
        source,
        sink,
        lane,
        in_path,
        time: Timestamp::now(),
    };
    let ended = way.run().await?;
    if lane.direction == Direction::ToClient {
        in_path.is_over.store(true, Ordering::Relaxed);
        in_path.given.notify_one();
    }
    if !ended {
        pass_on_end(&way.source, &mut way.sink, lane).await?;
    }
    Ok(way.source)
}

/// A direction under way.
struct Way<'a, R, W> {
    source: R,
    sink: W,
    lane: Lane<'a>,
    in_path: &'a InPath,
    /// When what is told of now was read, or was due.
    time: Timestamp,
}

/// What there is to do next.
enum Next {
    /// So many bytes were read; 0 at the end.
    Read(usize),
    Release,
    GiveOwn,
}

impl<R: Source, W: Sink> Way<'_, R, W> {
    /// Until the source has ended; whether its end was passed on already.
    async fn run(&mut self) -> Result<bool, Fault> {
        let direction = self.lane.direction;
        let mut buffer = ReadBuffer::default();
        let mut reads = 0;
        loop {
            let count = match self.next(&mut buffer).await? {
                Next::Release => {
                    let steps = self.in_path.conversation().release_request();
                    self.perform(steps).await?;
                    continue;
                }
                Next::GiveOwn => {
                    self.give_own().await?;
                    continue;
                }
                Next::Read(count) => count,
            };
            self.time = Timestamp::now();
            if count == 0 {
                self.give_own().await?;
                let steps = self.in_path.conversation().end(direction);
                self.perform(steps).await?;
                return Ok(false);
            }
            self.lane.activity.read(direction);
            buffer.adapt(count);
            let chunk = buffer.share();
            let steps = self.in_path.take(direction, chunk.clone());
            if self.perform(steps).await? {
                return Ok(true);
            }
            if direction == Direction::ToServer {
                if self.tell_bytes(chunk).await? {
                    return Ok(true);
                }
                self.have_own_given().await?;
            }
            reads += 1;
            if reads % READS_PER_TURN == 0 {
                yield_now().await;
            }
        }
    }

    async fn next(&mut self, buffer: &mut ReadBuffer) -> Result<Next, Fault> {
        let is_up = self.lane.direction == Direction::ToServer;
        let holds = is_up && self.in_path.conversation().holds_request();
        let source = &mut self.source;
        let read = async {
            poll_fn(|cx| {
                let readable = source.poll_readable(cx);
                if readable.is_pending() {
                    buffer.rest();
                }
                readable
            })
            .await?;
            // An end may not be as readable as it says: given up, nothing was read.
            source.read_buf(buffer.space()).await
        };
        tokio::select! {
            biased;
            () = self.in_path.own.notified(), if !is_up => Ok(Next::GiveOwn),
            read = read => match read {
                Ok(count) => Ok(Next::Read(count)),
                Err(error) => Err(self.of_source(error)),
            },
            () = sleep(IN_PATH_HOLD), if holds => Ok(Next::Release),
        }
    }

    /// Does what is said, one after the other; whether the source has ended meanwhile and
    /// its end was passed on.
    async fn perform(&mut self, steps: Vec<Step>) -> Result<bool, Fault> {
        for step in steps {
            let ended = match step {
                Step::Write(bytes) => {
                    pass_on(&self.source, &mut self.sink, &bytes, self.lane).await?;
                    match self.lane.direction {
                        Direction::ToServer => false,
                        Direction::ToClient => self.tell_bytes(bytes).await?,
                    }
                }
                Step::Tell(note) => self.tell_note(note).await?,
                Step::Wait(period) => {
                    self.wait(period).await?;
                    false
                }
                Step::Cut => {
                    return Err(Fault {
                        by: Side::receiving(self.lane.direction),
                        error: io::Error::other(CutOnPurpose),
                    });
                }
            };
            if ended {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Gives the client what there is for it besides the server's replies.
    async fn give_own(&mut self) -> Result<(), Fault> {
        if self.lane.direction == Direction::ToClient {
            let steps = self.in_path.conversation().take_own();
            self.time = Timestamp::now();
            self.perform(steps).await?;
            self.in_path.given.notify_one();
        }
        Ok(())
    }

    /// Has the other direction give the client what there is for it, and reads no more
    /// until that is done: a client that does not take it is not to send more either.
    async fn have_own_given(&mut self) -> Result<(), Fault> {
        while !self.in_path.is_over.load(Ordering::Relaxed) && self.in_path.has_own() {
            self.in_path.own.notify_one();
            tokio::select! {
                biased;
                () = self.in_path.given.notified() => {}
                error = self.source.failed() => return Err(self.of_source(error)),
            }
        }
        Ok(())
    }

    /// Holds back what comes next.
    async fn wait(&mut self, period: Duration) -> Result<(), Fault> {
        let Lane {
            activity,
            direction,
            ..
        } = self.lane;
        activity.set_stuck(direction, true);
        let waited = tokio::select! {
            biased;
            () = sleep(period) => Ok(()),
            error = self.source.failed() => Err(self.of_source(error)),
        };
        activity.set_stuck(direction, false);
        self.time = Timestamp::now();
        waited
    }

    async fn tell_bytes(&mut self, bytes: Bytes) -> Result<bool, Fault> {
        let (direction, time) = (self.lane.direction, self.time);
        self.tell(|tap| tap.bytes(time, direction, bytes)).await
    }

    async fn tell_note(&mut self, note: Note) -> Result<bool, Fault> {
        let (direction, time) = (self.lane.direction, self.time);
        self.tell(|tap| tap.note(time, direction, note)).await
    }

    async fn tell(
        &mut self,
        tell: impl FnOnce(&ConnectionTap) -> Option<Unsaid>,
    ) -> Result<bool, Fault> {
        match self.lane.tap {
            Some(tap) => match tell(tap) {
                Some(unsaid) => {
                    let (source, sink) = (&self.source, &mut self.sink);
                    Box::pin(wait_for_room(source, sink, tap, unsaid, self.lane)).await
                }
                None => Ok(false),
            },
            None => Ok(false),
        }
    }

    fn of_source(&self, error: io::Error) -> Fault {
        Fault {
            by: Side::sending(self.lane.direction),
            error,
        }
    }
}
