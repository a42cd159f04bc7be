//! A consumer that reads a partition alone.

use parallax_codec::primitives::PollingKind::{First, Last, Next, Offset};

use super::session::{Session, member, reader};
use super::{Scene, SceneError, Stay};
use crate::demo::BROKEN_PARTITION;

/// Three readers of First, and one of the end.
pub(super) async fn empty_first(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    for _ in 0..3 {
        session.poll(&reader(), (First, 0), 10, false).await?;
    }
    session.poll(&reader(), (Last, 0), 1, false).await?;
    Ok(session.stay())
}

/// A group's member that reads on from the broken message.
pub(super) async fn false_first_offset(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    session.create_group().await?;
    session.join().await?;
    for _ in 0..3 {
        session.poll(&member(), (Next, 0), 5, true).await?;
    }
    Ok(session.stay())
}

/// A reader of Next that commits as it reads, to the end.
pub(super) async fn read_on(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    for _ in 0..6 {
        session.poll(&reader(), (Next, 0), 5, true).await?;
    }
    Ok(session.stay())
}

/// A client that asks the same again and again.
pub(super) async fn first_again(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    for _ in 0..6 {
        session.poll(&reader(), (First, 0), 10, false).await?;
    }
    Ok(session.stay())
}

/// A reader that has read everything when the server restarts, and then gets new
/// messages.
pub(super) async fn offset_reused(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    read_all(scene).await?;
    let mut session = Session::open(scene).await?;
    let send = session.batch(BROKEN_PARTITION, 100, 5);
    session.must("send messages", &send).await?;
    session.poll(&reader(), (Next, 0), 10, true).await?;
    Ok(session.stay())
}

/// A reader that has stored the last offset, when the server restarts without the
/// last messages: Next waits for an offset that is long gone.
pub(super) async fn stored_ahead(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    session.store(&reader(), 24).await?;
    drop(session);
    let mut session = Session::open(scene).await?;
    session.stored(&reader()).await?;
    for _ in 0..3 {
        session.poll(&reader(), (Next, 0), 10, true).await?;
    }
    Ok(session.stay())
}

async fn read_all(scene: &mut Scene<'_>) -> Result<(), SceneError> {
    let mut session = Session::prepare(scene).await?;
    session.poll(&reader(), (Next, 0), 100, true).await
}

/// A reader that goes on after a purge.
pub(super) async fn skip_after_purge(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    for _ in 0..2 {
        session.poll(&reader(), (Next, 0), 5, true).await?;
    }
    session.flush().await?;
    session.purge().await?;
    let send = session.batch(BROKEN_PARTITION, 100, 10);
    session.must("send messages", &send).await?;
    session.poll(&reader(), (Next, 0), 5, true).await?;
    Ok(session.stay())
}

/// A reader that keeps its place itself, and commits what it has read.
pub(super) async fn commit_refused(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    for place in (0..25).step_by(5) {
        session.poll(&reader(), (Offset, place), 5, false).await?;
        session.store(&reader(), place + 4).await?;
    }
    Ok(session.stay())
}
