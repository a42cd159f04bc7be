//! Members of a consumer group.

use parallax_codec::primitives::PollingKind::{Last, Next};

use super::session::{Session, member};
use super::{Scene, SceneError, Stay};

/// One member reads and commits; the next one should go on where it ended.
pub(super) async fn group_replay(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut first = Session::prepare(scene).await?;
    first.create_group().await?;
    first.join().await?;
    first.poll(&member(), (Next, 0), 10, false).await?;
    first.store(&member(), 9).await?;
    drop(first);
    let mut second = Session::open(scene).await?;
    second.join().await?;
    second.poll(&member(), (Next, 0), 10, false).await?;
    Ok(second.stay())
}

/// A member that asks for what it has just stored.
pub(super) async fn offset_lost(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    session.create_group().await?;
    session.join().await?;
    session.poll(&member(), (Next, 0), 10, false).await?;
    session.store(&member(), 9).await?;
    session.stored(&member()).await?;
    Ok(session.stay())
}

/// A member that polls on although it is told to ask for its partitions, asks once,
/// is told that it has none, and polls on.
pub(super) async fn fenced(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    session.create_group().await?;
    session.join().await?;
    for _ in 0..4 {
        session.poll(&member(), (Next, 0), 5, true).await?;
    }
    session.sync().await?;
    for _ in 0..4 {
        session.poll(&member(), (Next, 0), 5, true).await?;
    }
    Ok(session.stay())
}

/// A member that leaves before it commits what it has read.
pub(super) async fn commit_after_leave(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    session.create_group().await?;
    session.join().await?;
    session.poll(&member(), (Next, 0), 5, false).await?;
    session.leave().await?;
    for offset in 2..5 {
        session.store(&member(), offset).await?;
    }
    Ok(session.stay())
}

/// A new group that begins at the end of the log.
pub(super) async fn tail_start(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    session.create_group().await?;
    session.join().await?;
    session.poll(&member(), (Last, 0), 1, true).await?;
    for _ in 0..3 {
        session.poll(&member(), (Next, 0), 5, true).await?;
    }
    Ok(session.stay())
}
