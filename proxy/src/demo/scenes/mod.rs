//! What a client does so that a fault can be seen: one short scene for each.

mod groups;
mod polls;
mod session;
mod wire;

use std::net::SocketAddr;
use std::time::Duration;

use parallax_codec::Dialect;

use super::client::{Client, ClientError};
use crate::standin::Fault;

/// Where a scene is played, and who listens.
pub struct Scene<'a> {
    /// The server, or a proxy before it.
    pub server: SocketAddr,
    /// What the client speaks.
    pub dialect: Dialect,
    /// How long the client waits after each step: time for a mirror to look.
    pub pace: Duration,
    /// What the client would print.
    pub log: &'a mut (dyn FnMut(String) + Send),
}

/// A scene could not be played to its end.
#[derive(Debug, thiserror::Error)]
#[error("the demo's client cannot {step}: {source}")]
pub struct SceneError {
    step: &'static str,
    source: ClientError,
}

/// The client at the end of a scene: connected until this is dropped.
#[must_use = "dropping it closes the connection"]
pub struct Stay {
    _client: Option<Client>,
}

impl Stay {
    /// The client has gone.
    const fn over() -> Self {
        Self { _client: None }
    }
}

/// Plays the scene in which a fault shows, against a stand-in that has it. Creates
/// the stream [`STREAM`](super::STREAM) and the topic [`TOPIC`](super::TOPIC) first.
///
/// # Errors
/// The server refuses what the scene needs, or the connection breaks where the
/// fault does not break it.
pub async fn play(fault: Fault, scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    match fault {
        Fault::FalseFirstOffset => polls::false_first_offset(scene).await,
        Fault::EmptyFirst => polls::empty_first(scene).await,
        Fault::OffsetJump | Fault::RetentionGap | Fault::TransientEmpty => {
            polls::read_on(scene).await
        }
        Fault::OffsetReused => polls::offset_reused(scene).await,
        Fault::StoredAhead => polls::stored_ahead(scene).await,
        Fault::MaskedError
        | Fault::SameBatchAgain
        | Fault::TruncatedBody
        | Fault::DifferentCode => polls::first_again(scene).await,
        Fault::SkipAfterPurge => polls::skip_after_purge(scene).await,
        Fault::CommitRefused => polls::commit_refused(scene).await,
        Fault::GroupReplay => groups::group_replay(scene).await,
        Fault::OffsetLost => groups::offset_lost(scene).await,
        Fault::Fenced => groups::fenced(scene).await,
        Fault::CommitAfterLeave => groups::commit_after_leave(scene).await,
        Fault::TailStart => groups::tail_start(scene).await,
        Fault::Eviction => wire::eviction(scene).await,
        Fault::StatusMoved => wire::status_moved(scene).await,
        Fault::LeaderElsewhere => wire::leader_elsewhere(scene).await,
        Fault::DuplicateSend => wire::duplicate_send(scene).await,
        Fault::Retries => wire::retries(scene).await,
        Fault::PatRefused => wire::pat_refused(scene).await,
    }
}
