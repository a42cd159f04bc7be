//! One request and its reply.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::vsr::{EvictionHeader, ResultSection};
use parallax_codec::{Command, ErrorCode, Field, Reply, Request, empty_reply_meaning};

use crate::alteration::{Alteration, ServerAnswer};
use crate::annotation::Annotation;
use crate::catalog::describe;
use crate::connection::{ConnectionId, Dialect, Undecoded};
use crate::finding::{FindingCode, Severity};
use crate::frame_fields;
use crate::kept::exchange_bytes;
use crate::poll::{Poll, PollAnswer};
use crate::route::RouteName;
use crate::verdict::{HttpRefusal, Verdict, VerdictKind};

/// A request and its reply, or the reply's absence, on one connection.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Its number in the journal, from 1, in the order of completion. 0 until it
    /// is recorded.
    pub n: u64,
    /// The connection.
    pub conn: ConnectionId,
    /// The route that the connection came by, where there are routes with names.
    pub route: Option<RouteName>,
    /// How the connection frames.
    pub dialect: Dialect,
    /// When its bytes passed.
    pub times: Times,
    /// What passed.
    pub content: Content,
    /// Why it, or a part of it, could not be decoded.
    pub undecoded: Option<Undecoded>,
    /// What the mirror found. `None`: not mirrored, or not yet.
    pub verdict: Option<Verdict>,
    /// The findings that name it and are not muted.
    pub findings: Vec<FindingCode>,
    /// The muted findings that name it.
    pub muted_findings: Vec<FindingCode>,
    /// What a person noted of it.
    pub annotation: Annotation,
    /// What parallax did to it in its path; `None` where it passed as it was.
    pub altered: Option<Box<Alteration>>,
}

/// When the bytes of an exchange were seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// The request's first byte.
    pub request_first: Timestamp,
    /// The request's last byte.
    pub request_last: Timestamp,
    /// The reply's first and last byte; `None` where there was no reply.
    pub reply: Option<(Timestamp, Timestamp)>,
}

/// What passed: a pair of binary frames, or of HTTP messages.
#[derive(Debug, Clone)]
pub enum Content {
    /// The binary protocol.
    Binary(BinaryContent),
    /// HTTP, from a packet capture.
    Http(HttpContent),
    /// A frame of the server's that answers no request.
    Unsolicited(UnsolicitedContent),
}

/// A pair of binary frames. Passwords and tokens in them are masked: same
/// length, so that everything else stays where it was.
#[derive(Debug, Clone)]
pub struct BinaryContent {
    /// The command's code.
    pub code: u32,
    /// The request's frame, header included.
    pub request_frame: Bytes,
    /// The request, where it could be decoded.
    pub request: Option<Request>,
    /// The reply's status; `None` where there was no reply.
    pub status: Option<u32>,
    /// The reply's frame, header included; empty where there was no reply.
    pub reply_frame: Bytes,
    /// What precedes the reply's body in the VSR dialect, for some commands.
    pub result: Option<ResultSection>,
    /// The reply, where its status is 0 and it could be decoded.
    pub reply: Option<Reply>,
    /// The eviction that came in the reply's place: so a VSR server refuses a
    /// login.
    pub eviction: Option<Box<EvictionHeader>>,
}

/// A frame of the server's that answers no request. The VSR dialect has them.
#[derive(Debug, Clone)]
pub struct UnsolicitedContent {
    /// What it is: `eviction`, or the name of another frame.
    pub name: &'static str,
    /// The frame, header included.
    pub frame: Bytes,
    /// What an eviction says.
    pub eviction: Option<Box<EvictionHeader>>,
}

/// A pair of HTTP messages. Headers are not kept, nor the bodies of logins.
#[derive(Debug, Clone)]
pub struct HttpContent {
    /// `GET`, `POST` ...
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// The status; `None` where there was no response.
    pub http_status: Option<u16>,
    /// The request's body.
    pub request_body: Bytes,
    /// The response's body.
    pub response_body: Bytes,
    /// The poll that this was, where it was one.
    pub poll: Option<Poll>,
    /// What the poll was answered, or the refusal of whatever this was.
    pub answer: Option<Result<PollAnswer, HttpRefusal>>,
}

impl Exchange {
    /// The command's name in `snake_case`; `unknown_123` for a code that no
    /// known version has.
    pub fn command(&self) -> Cow<'static, str> {
        match &self.content {
            Content::Binary(content) => match Command::from_code(content.code) {
                Some(command) => command.name.into(),
                None => format!("unknown_{}", content.code).into(),
            },
            Content::Http(content) if content.poll.is_some() => "poll_messages".into(),
            Content::Http(_) => "http_request".into(),
            Content::Unsolicited(content) => content.name.into(),
        }
    }

    /// The command's code; `None` for HTTP, which has none.
    pub fn code(&self) -> Option<u32> {
        match &self.content {
            Content::Binary(content) => Some(content.code),
            Content::Http(_) | Content::Unsolicited(_) => None,
        }
    }

    /// The status: 0 for success, else Iggy's error code. `None` where there was
    /// no reply, or an HTTP error without a code.
    pub fn status(&self) -> Option<u32> {
        match &self.content {
            Content::Binary(content) => content.status,
            Content::Http(content) => match (&content.answer, content.http_status) {
                (Some(Err(refusal)), _) => refusal.code.map(|code| code.0),
                (_, Some(200..=299)) => Some(0),
                _ => None,
            },
            Content::Unsolicited(_) => None,
        }
    }

    /// The error, where the status is one.
    pub fn error(&self) -> Option<ErrorCode> {
        self.status().filter(|status| *status != 0).map(ErrorCode)
    }

    /// The fault that was injected into it.
    pub fn injected(&self) -> Option<&str> {
        self.altered.as_ref()?.injected.as_deref()
    }

    /// What was rewritten of it so that the client stays with parallax.
    pub fn rewritten(&self) -> Option<&str> {
        self.altered.as_ref()?.rewritten.as_deref()
    }

    /// What the server answered, where the client got another answer or none.
    pub fn server_answer(&self) -> Option<ServerAnswer> {
        self.altered.as_ref()?.server_answer
    }

    /// Whether a fault was injected so that it does not show what the server did.
    pub fn hides_the_server(&self) -> bool {
        let altered = self.altered.as_ref();
        altered.is_some_and(|altered| altered.hides_the_server())
    }

    /// Whether it did not succeed: refused, or not answered at all.
    pub fn failed(&self) -> bool {
        self.status() != Some(0)
    }

    /// Whether its verdict or one of its findings is muted.
    pub fn is_muted(&self) -> bool {
        let verdict = self.verdict.as_ref();
        !self.muted_findings.is_empty() || verdict.is_some_and(|verdict| verdict.muted.is_some())
    }

    /// Whether its verdict is that it diverges, and no finding that something is wrong
    /// says why. What is muted is known, and so is what a muted finding explains.
    pub fn is_unexplained(&self) -> bool {
        let explains = |code: &FindingCode| describe(*code).severity < Severity::Info;
        let verdict = self.verdict.as_ref();
        verdict.is_some_and(|verdict| verdict.kind == VerdictKind::Diverge)
            && !self.is_muted()
            && !self.findings.iter().any(explains)
    }

    /// The muted findings that name it, or the others.
    pub fn named_by(&self, muted: bool) -> &[FindingCode] {
        if muted {
            &self.muted_findings
        } else {
            &self.findings
        }
    }

    /// Names it by a finding, once.
    pub(crate) fn name_by(&mut self, code: FindingCode, muted: bool) {
        let codes = if muted {
            &mut self.muted_findings
        } else {
            &mut self.findings
        };
        if let Err(place) = codes.binary_search(&code) {
            codes.insert(place, code);
        }
    }

    /// From the request's first byte to the reply's last.
    pub fn latency(&self) -> Option<Duration> {
        let (_, last) = self.times.reply?;
        let elapsed = last.duration_since(self.times.request_first);
        Some(elapsed.try_into().unwrap_or(Duration::ZERO))
    }

    /// Bytes of the request and the reply: of both frames, or of the bodies of both HTTP
    /// messages.
    pub fn bytes(&self) -> usize {
        match &self.content {
            Content::Binary(content) => content.request_frame.len() + content.reply_frame.len(),
            Content::Http(content) => content.request_body.len() + content.response_body.len(),
            Content::Unsolicited(content) => content.frame.len(),
        }
    }

    /// The question, where this was a poll that could be decoded.
    pub fn poll(&self) -> Option<Poll> {
        match &self.content {
            Content::Binary(content) => match &content.request {
                Some(Request::PollMessages(r) | Request::PollMessagesOnPrimary(r)) => {
                    Some(Poll::from(r))
                }
                _ => None,
            },
            Content::Http(content) => content.poll.clone(),
            Content::Unsolicited(_) => None,
        }
    }

    /// The messages that a poll was answered with.
    pub fn poll_answer(&self) -> Option<PollAnswer> {
        match &self.content {
            Content::Binary(content) => match &content.reply {
                Some(Reply::PolledMessages(reply)) => Some(PollAnswer::from(reply)),
                _ => None,
            },
            Content::Http(content) => content.answer.clone()?.ok(),
            Content::Unsolicited(_) => None,
        }
    }

    /// What the server says its version is, where this is an answer that holds its
    /// statistics: `get_stats` (recording `server-0.8.0_sdk-0.10.0/admin.pcap`), or
    /// `GET /stats` over HTTP (`http/system.rs` of server 0.8.0).
    pub fn server_version(&self) -> Option<String> {
        let version = match &self.content {
            Content::Binary(content) => match &content.reply {
                Some(Reply::Stats(stats)) => stats.iggy_server_version.clone(),
                _ => return None,
            },
            Content::Http(content) if content.target == "/stats" => {
                let body = serde_json::from_slice::<serde_json::Value>(&content.response_body);
                body.ok()?.get("iggy_server_version")?.as_str()?.to_owned()
            }
            Content::Http(_) | Content::Unsolicited(_) => return None,
        };
        Some(version).filter(|version| !version.is_empty())
    }

    /// Whether it is a poll that was answered with no message at all: there is
    /// nothing in it to compare.
    pub fn is_empty_poll(&self) -> bool {
        match &self.content {
            Content::Binary(content) => {
                matches!(&content.reply, Some(Reply::PolledMessages(reply)) if reply.messages.is_empty())
            }
            Content::Http(content) => {
                matches!(&content.answer, Some(Ok(answer)) if answer.messages.is_empty())
            }
            Content::Unsolicited(_) => false,
        }
    }

    /// What a reply without a body says of what was asked for: `no offset is
    /// stored`. `None` where it only says that something was done.
    pub fn empty_reply_meaning(&self) -> Option<&'static str> {
        let content = self.binary()?;
        let empty = matches!(content.reply, Some(Reply::Empty));
        empty_reply_meaning(content.code).filter(|meaning| empty && *meaning != "done")
    }

    /// Bytes of memory that it costs to keep, about: what was received, and what that
    /// was made into.
    pub fn held_bytes(&self) -> usize {
        exchange_bytes(self)
    }

    /// The binary frames, where these were some.
    pub fn binary(&self) -> Option<&BinaryContent> {
        match &self.content {
            Content::Binary(content) => Some(content),
            Content::Http(_) | Content::Unsolicited(_) => None,
        }
    }

    /// The eviction that this brought, asked for or not.
    pub fn eviction(&self) -> Option<&EvictionHeader> {
        match &self.content {
            Content::Binary(content) => content.eviction.as_deref(),
            Content::Http(_) => None,
            Content::Unsolicited(content) => content.eviction.as_deref(),
        }
    }

    /// Whether the client was refused: by an error, or by an eviction.
    pub fn is_refused(&self) -> bool {
        self.error().is_some() || self.eviction().is_some()
    }

    /// The fields of the request's frame, their ranges counted from its first
    /// byte.
    pub fn request_fields(&self) -> Vec<Field> {
        match &self.content {
            Content::Binary(content) => frame_fields::request_fields(content, self.dialect),
            Content::Http(_) | Content::Unsolicited(_) => Vec::new(),
        }
    }

    /// The fields of the reply's frame, or of one that nobody asked for, their
    /// ranges counted from its first byte.
    pub fn reply_fields(&self) -> Vec<Field> {
        match &self.content {
            Content::Binary(content) => frame_fields::reply_fields(content, self.dialect),
            Content::Http(_) => Vec::new(),
            Content::Unsolicited(content) => frame_fields::unsolicited_fields(content),
        }
    }
}
