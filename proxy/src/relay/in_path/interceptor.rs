//! Who is asked about frames, and what may be decided.

use std::fmt::{self, Debug, Formatter};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::{Mark, ReplyFrame, RequestFrame};

/// Is asked about every request of a route's connections. What is decided then holds for
/// the reply as well.
///
/// Where there are several on a route all of them are asked, in their order, and what they
/// decide is [joined](Decision::and).
pub trait Interceptor: Debug + Send + Sync {
    /// Who is asked instead on a connection whose client has reached parallax at `reached`;
    /// `None` for this one.
    fn on_connection(&self, _reached: SocketAddr) -> Option<Arc<dyn Interceptor>> {
        None
    }

    /// What has to be seen of a request before something is decided about it; here of its
    /// header alone is told.
    fn interest(&self, request: &RequestFrame) -> Interest;

    /// What is to be done. Is asked once for each request that was of interest.
    fn decide(&self, request: &RequestFrame) -> Decision;
}

/// What has to be seen of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interest {
    /// Nothing: it passes, and so does its reply.
    Nothing,
    /// Its header. The body is not held back.
    Header,
    /// All of it. A body longer than [`IN_PATH_GATHERED`](crate::limits::IN_PATH_GATHERED)
    /// is not gathered: what is decided then is decided without it.
    Whole,
}

/// What is to be done with a request and its reply. The default: both pass.
#[derive(Debug, Default)]
pub struct Decision {
    /// What is said of it in the journal, whatever the server answers.
    pub marks: Vec<Mark>,
    /// What the server gets.
    pub to_server: ToServer,
    /// How long what the client gets is held back once it is there. Replies behind it wait
    /// as well.
    pub delay: Duration,
    /// What looks at the reply, and may put another in its place; each sees what the one
    /// before it made.
    pub rewrites: Vec<Rewrite>,
    /// What becomes of what the client is to get.
    pub to_client: ToClient,
}

/// What the server gets of a request.
#[derive(Debug, Default)]
pub enum ToServer {
    /// The request.
    #[default]
    Pass,
    /// This frame instead, which must be one that the same reply answers.
    Replace(Bytes),
    /// Nothing: the client is answered with this frame, in its turn.
    Answer(Bytes),
}

/// What the client gets of what it is to get.
#[derive(Debug, Default)]
pub enum ToClient {
    /// All of it.
    #[default]
    Pass,
    /// Nothing.
    Drop,
    /// So many of its bytes, then both connections are closed.
    CutAfter(u64),
}

/// Looks at a reply, and may put another in its place.
pub struct Rewrite {
    /// Bytes of the body that it has to see. Where there are more of them than
    /// [`IN_PATH_GATHERED`](crate::limits::IN_PATH_GATHERED), the reply passes unseen.
    pub needs: usize,
    /// Gives what the client gets instead; `None` leaves the reply as it is.
    pub with: MakeReply,
}

/// Makes another reply of one, or leaves it.
pub type MakeReply = Box<dyn FnOnce(&ReplyFrame) -> Option<Rewritten> + Send>;

/// What the client gets instead of the server's reply.
#[derive(Debug)]
pub struct Rewritten {
    /// The frame.
    pub frame: Bytes,
    /// What is said of it in the journal.
    pub mark: Mark,
}

impl Decision {
    /// Both decisions in one: delays add up, rewrites follow each other, and where both
    /// want something else for the request or the reply, what `next` wants holds.
    #[must_use]
    pub fn and(mut self, next: Self) -> Self {
        self.marks.extend(next.marks);
        self.rewrites.extend(next.rewrites);
        Self {
            marks: self.marks,
            to_server: match next.to_server {
                ToServer::Pass => self.to_server,
                other => other,
            },
            delay: self.delay.saturating_add(next.delay),
            rewrites: self.rewrites,
            to_client: match next.to_client {
                ToClient::Pass => self.to_client,
                other => other,
            },
        }
    }

    /// Whether the reply passes as it is, when it comes.
    pub(super) const fn leaves_reply(&self) -> bool {
        self.delay.is_zero() && self.rewrites.is_empty() && matches!(self.to_client, ToClient::Pass)
    }
}

impl Debug for Rewrite {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rewrite")
            .field("needs", &self.needs)
            .finish_non_exhaustive()
    }
}
