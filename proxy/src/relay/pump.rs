//! One direction of a connection: read, pass on, then tell.

use std::future::{pending, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use parallax_codec::classic::Direction;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::task::yield_now;

use super::Side;
use super::activity::Activity;
use super::buffer::ReadBuffer;
use super::connection_tap::ConnectionTap;
use super::in_path::{self, InPath};
use super::overload::Unsaid;
use crate::limits::READS_PER_TURN;

/// The end that a direction reads from.
pub(super) trait Source: AsyncRead + Send + Sync + Unpin {
    /// Ready once a read would not wait, so that memory is taken only then.
    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>>;

    /// Waits for the connection to fail, without reading from it. Needed when
    /// nothing is read: while the other end is stuck, and after the end.
    fn failed(&self) -> impl Future<Output = io::Error> + Send;

    /// Waits for the end of what it sends, without reading from it. What is still to be read
    /// hides it. An end that cannot tell never does.
    fn ended(&self) -> impl Future<Output = ()> + Send {
        pending()
    }

    /// Whether what it sends has ended without its saying so, where it has a way to: TLS's
    /// `close_notify`. Known once a read has found the end.
    fn is_cut_off(&self) -> bool {
        false
    }
}

/// The end that a direction writes to.
pub(super) trait Sink: AsyncWrite + Send + Unpin {
    /// Its end is to be told without saying so, as that of the source was.
    fn cut_off(&mut self) {}
}

/// An end's connection has failed.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) by: Side,
    pub(super) error: io::Error,
}

/// What a direction works with besides its two ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane<'a> {
    pub(super) direction: Direction,
    pub(super) activity: &'a Activity,
    pub(super) tap: Option<&'a ConnectionTap>,
}

/// Moves bytes until the sending end has no more, passes that end on, and gives the source
/// back; looks at frames on the way where that is asked for.
pub(super) async fn carry<R: Source, W: Sink>(
    source: R,
    sink: W,
    lane: Lane<'_>,
    in_path: Option<&InPath>,
) -> Result<R, Fault> {
    match in_path {
        None => pump(source, sink, lane).await,
        // Boxed: no connection takes more memory for what hardly one ever does.
        Some(in_path) => Box::pin(in_path::pump(source, sink, lane, in_path)).await,
    }
}

/// Moves bytes without looking at them.
async fn pump<R: Source, W: Sink>(mut source: R, mut sink: W, lane: Lane<'_>) -> Result<R, Fault> {
    let from_source = |error| Fault {
        by: Side::sending(lane.direction),
        error,
    };
    let mut buffer = ReadBuffer::default();
    let mut reads = 0;
    loop {
        poll_fn(|cx| {
            let readable = source.poll_readable(cx);
            if readable.is_pending() {
                buffer.rest();
            }
            readable
        })
        .await
        .map_err(from_source)?;
        let count = source.read_buf(buffer.space()).await.map_err(from_source)?;
        if count == 0 {
            break;
        }
        lane.activity.read(lane.direction);
        let time = lane.tap.map(|_| jiff::Timestamp::now());
        pass_on(&source, &mut sink, buffer.filled(), lane).await?;
        buffer.adapt(count);
        if let (Some(tap), Some(time)) = (lane.tap, time)
            && let Some(unsaid) = tap.bytes(time, lane.direction, buffer.share())
        {
            // Boxed: no connection takes more memory for what hardly one ever does.
            let waiting = wait_for_room(&source, &mut sink, tap, unsaid, lane);
            if Box::pin(waiting).await? {
                return Ok(source);
            }
        }
        reads += 1;
        if reads % READS_PER_TURN == 0 {
            yield_now().await;
        }
    }
    pass_on_end(&source, &mut sink, lane).await?;
    Ok(source)
}

/// Passes the source's end on, and tells of it.
pub(super) async fn pass_on_end<R: Source, W: Sink>(
    source: &R,
    sink: &mut W,
    lane: Lane<'_>,
) -> Result<(), Fault> {
    if source.is_cut_off() {
        sink.cut_off();
    }
    let ended = sink.shutdown().await;
    ended.map_err(|error| not_taken(error, lane))?;
    if let Some(tap) = lane.tap {
        tap.half_closed(lane.direction);
    }
    Ok(())
}

/// Writes all of `bytes`, out of whatever holds them back as well. While the peer does not take
/// them, watches the source, which is not being read, for a reset.
pub(super) async fn pass_on<R: Source, W: Sink>(
    source: &R,
    sink: &mut W,
    bytes: &[u8],
    lane: Lane<'_>,
) -> Result<(), Fault> {
    let mut rest = bytes;
    let mut is_out = false;
    while !is_out {
        let attempt = poll_fn(|cx| Poll::Ready(write(sink, cx, &mut rest, lane))).await;
        if let Poll::Ready(result) = attempt {
            is_out = result?;
            continue;
        }
        lane.activity.set_stuck(lane.direction, true);
        let result = tokio::select! {
            biased;
            result = poll_fn(|cx| write(sink, cx, &mut rest, lane)) => result,
            error = source.failed() => Err(Fault { by: Side::sending(lane.direction), error }),
        };
        lane.activity.set_stuck(lane.direction, false);
        is_out = result?;
    }
    Ok(())
}

/// Waits until the tap has room for what was passed on. Meanwhile the source is not read
/// from, but watched for a reset, and for its end, which is passed on at once. Whether it
/// has ended.
pub(super) async fn wait_for_room<R: Source, W: Sink>(
    source: &R,
    sink: &mut W,
    tap: &ConnectionTap,
    unsaid: Unsaid,
    lane: Lane<'_>,
) -> Result<bool, Fault> {
    lane.activity.set_stuck(lane.direction, true);
    let mut saying = pin!(tap.say_later(unsaid));
    let mut ended = false;
    let result = loop {
        tokio::select! {
            biased;
            () = &mut saying => break Ok(ended),
            error = source.failed() => {
                break Err(Fault { by: Side::sending(lane.direction), error });
            }
            () = source.ended(), if !ended => {
                ended = true;
                if let Err(error) = sink.shutdown().await {
                    break Err(not_taken(error, lane));
                }
            }
        }
    };
    lane.activity.set_stuck(lane.direction, false);
    if ended && result.is_ok() {
        tap.half_closed(lane.direction);
    }
    result
}

/// One write of what the peer takes now, stepping `rest` over it; once nothing is left, what
/// holds it back is emptied. Whether that is done.
fn write<W: Sink>(
    sink: &mut W,
    cx: &mut Context<'_>,
    rest: &mut &[u8],
    lane: Lane<'_>,
) -> Poll<Result<bool, Fault>> {
    let mut sink = Pin::new(sink);
    if !rest.is_empty() {
        match sink.as_mut().poll_write(cx, rest) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Ok(0)) => {
                return Poll::Ready(Err(not_taken(io::ErrorKind::WriteZero.into(), lane)));
            }
            Poll::Ready(Err(error)) => return Poll::Ready(Err(not_taken(error, lane))),
            Poll::Ready(Ok(count)) => {
                *rest = rest.get(count..).unwrap_or_default();
                lane.activity.wrote(lane.direction, count);
            }
        }
    }
    if !rest.is_empty() {
        return Poll::Ready(Ok(false));
    }
    sink.poll_flush(cx)
        .map_ok(|()| true)
        .map_err(|error| not_taken(error, lane))
}

fn not_taken(error: io::Error, lane: Lane<'_>) -> Fault {
    Fault {
        by: Side::receiving(lane.direction),
        error,
    }
}
