use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::Direction;
use serde::{Deserialize, Serialize};

use super::alteration::AlterationRecord;
use super::connection::{UndecodedRecord, dialect};
use super::finding::code;
use super::route;
use super::verdict::{RefusalRecord, VerdictRecord};
use crate::annotation::Annotation;
use crate::connection::{ConnectionId, Dialect, Undecoded};
use crate::decoding::{AnyFrame, kept, unsolicited};
use crate::exchange::{Content, Exchange, HttpContent, Times};
use crate::finding::FindingCode;
use crate::http_poll::{parse_answer, parse_target};

/// An exchange without its frames.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::file) struct ExchangeRecord {
    pub(in crate::file) n: u64,
    pub(in crate::file) conn: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    route: Option<String>,
    dialect: String,
    request_first: Timestamp,
    request_last: Timestamp,
    reply: Option<(Timestamp, Timestamp)>,
    content: ContentRecord,
    undecoded: Option<UndecodedRecord>,
    verdict: Option<VerdictRecord>,
    findings: Vec<String>,
    muted_findings: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    annotation: Option<AnnotationRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    altered: Option<AlterationRecord>,
}

/// What a person noted of it.
#[derive(Debug, Serialize, Deserialize)]
struct AnnotationRecord {
    marked: bool,
    comment: String,
}

/// How many bytes of the packets are which frame, and what those do not tell.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ContentRecord {
    Binary {
        request_bytes: usize,
        reply_bytes: usize,
        /// Of a VSR reply, its place in which may take the whole connection to
        /// tell.
        status: Option<u32>,
    },
    Http {
        method: String,
        target: String,
        http_status: Option<u16>,
        request_body_bytes: usize,
        response_body_bytes: usize,
        refused: Option<RefusalRecord>,
    },
    Unsolicited {
        bytes: usize,
    },
}

/// The bytes that belong to an exchange: all that passed on its connection since the
/// one before it.
#[derive(Debug, Default)]
pub(in crate::file) struct Frames {
    pub(in crate::file) to_server: Vec<u8>,
    pub(in crate::file) to_client: Vec<u8>,
}

impl ExchangeRecord {
    pub(in crate::file) fn of(exchange: &Exchange) -> Self {
        let verdict = exchange.verdict.as_ref();
        Self::with(
            exchange,
            verdict.map(|verdict| {
                let own = exchange.poll_answer().map(|answer| answer.messages);
                VerdictRecord::of(verdict, &own.unwrap_or_default())
            }),
        )
    }

    /// The same without what the mirror was answered.
    pub(in crate::file) fn without_answers(exchange: &Exchange) -> Self {
        let verdict = exchange.verdict.as_ref();
        Self::with(exchange, verdict.map(VerdictRecord::without_answers))
    }

    fn with(exchange: &Exchange, verdict: Option<VerdictRecord>) -> Self {
        let codes = |codes: &[FindingCode]| codes.iter().map(ToString::to_string).collect();
        let times = exchange.times;
        Self {
            n: exchange.n,
            conn: exchange.conn.0,
            route: exchange.route.as_ref().map(ToString::to_string),
            dialect: exchange.dialect.name().to_owned(),
            request_first: times.request_first,
            request_last: times.request_last,
            reply: times.reply,
            content: ContentRecord::of(&exchange.content),
            undecoded: exchange.undecoded.as_ref().map(UndecodedRecord::from),
            verdict,
            findings: codes(&exchange.findings),
            muted_findings: codes(&exchange.muted_findings),
            annotation: AnnotationRecord::of(&exchange.annotation),
            altered: exchange.altered.as_deref().map(AlterationRecord::from),
        }
    }

    /// The exchange whose bytes are the last of `frames`.
    ///
    /// # Errors
    /// What of it is not in the file, or not known.
    pub(in crate::file) fn read(self, frames: &Frames) -> Result<Exchange, String> {
        if i64::try_from(self.n).is_err() {
            return Err("its number is larger than any that parallax gives".to_owned());
        }
        let dialect = dialect(&self.dialect)?;
        let mut exchange = Exchange {
            n: self.n,
            conn: ConnectionId(self.conn),
            route: route(self.route)?,
            dialect,
            times: Times {
                request_first: self.request_first,
                request_last: self.request_last,
                reply: self.reply,
            },
            content: self.content.read(dialect, frames)?,
            undecoded: self.undecoded.map(Undecoded::from),
            verdict: None,
            findings: codes(&self.findings)?,
            muted_findings: codes(&self.muted_findings)?,
            annotation: AnnotationRecord::read(self.annotation),
            altered: self.altered.map(|altered| Box::new(altered.into())),
        };
        exchange.verdict = read_verdict(self.verdict, &exchange)?;
        Ok(exchange)
    }

    /// Gives `exchange` the verdict, the findings and the note that came later.
    ///
    /// # Errors
    /// What of it is not known.
    pub(in crate::file) fn amend(self, exchange: &mut Exchange) -> Result<(), String> {
        let verdict = read_verdict(self.verdict, exchange)?;
        exchange.verdict = verdict.or_else(|| exchange.verdict.take());
        exchange.findings = codes(&self.findings)?;
        exchange.muted_findings = codes(&self.muted_findings)?;
        exchange.annotation = AnnotationRecord::read(self.annotation);
        Ok(())
    }
}

impl AnnotationRecord {
    fn of(annotation: &Annotation) -> Option<Self> {
        (!annotation.is_empty()).then(|| Self {
            marked: annotation.marked,
            comment: annotation.comment.clone(),
        })
    }

    /// Cut again: a file may hold anything.
    fn read(record: Option<Self>) -> Annotation {
        record.map_or_else(Annotation::default, |record| {
            Annotation::new(record.marked, &record.comment)
        })
    }
}

fn read_verdict(
    record: Option<VerdictRecord>,
    exchange: &Exchange,
) -> Result<Option<crate::verdict::Verdict>, String> {
    let Some(record) = record else {
        return Ok(None);
    };
    let own = exchange.poll_answer().map(|answer| answer.messages);
    record.read(&own.unwrap_or_default()).map(Some)
}

fn codes(names: &[String]) -> Result<Vec<FindingCode>, String> {
    names.iter().map(|name| code(name)).collect()
}

impl ContentRecord {
    fn of(content: &Content) -> Self {
        match content {
            Content::Binary(content) => Self::Binary {
                request_bytes: content.request_frame.len(),
                reply_bytes: content.reply_frame.len(),
                status: content.status,
            },
            Content::Http(content) => Self::Http {
                method: content.method.clone(),
                target: content.target.clone(),
                http_status: content.http_status,
                request_body_bytes: content.request_body.len(),
                response_body_bytes: content.response_body.len(),
                refused: match &content.answer {
                    Some(Err(refusal)) => Some(refusal.into()),
                    _ => None,
                },
            },
            Content::Unsolicited(content) => Self::Unsolicited {
                bytes: content.frame.len(),
            },
        }
    }

    fn read(self, dialect: Dialect, frames: &Frames) -> Result<Content, String> {
        match self {
            Self::Binary {
                request_bytes,
                reply_bytes,
                status,
            } => {
                let request = last(&frames.to_server, request_bytes, "request")?;
                let reply = last(&frames.to_client, reply_bytes, "reply")?;
                kept(dialect, request, reply, status).map(Content::Binary)
            }
            Self::Http {
                method,
                target,
                http_status,
                request_body_bytes,
                response_body_bytes,
                refused,
            } => {
                let request_body = last(&frames.to_server, request_body_bytes, "request")?;
                let response_body = last(&frames.to_client, response_body_bytes, "response")?;
                let poll = (method == "GET").then(|| parse_target(&target)).flatten();
                let answer = match (refused, http_status, &poll) {
                    (Some(refusal), _, _) => Some(Err(refusal.into())),
                    (None, Some(status), Some(_)) => parse_answer(status, &response_body).ok(),
                    _ => None,
                };
                Ok(Content::Http(HttpContent {
                    method,
                    target,
                    http_status,
                    request_body,
                    response_body,
                    poll,
                    answer,
                }))
            }
            Self::Unsolicited { bytes } => {
                let frame = last(&frames.to_client, bytes, "frame")?;
                match AnyFrame::kept(dialect, Direction::ToClient, &frame) {
                    Some(AnyFrame::Vsr(frame)) => Ok(Content::Unsolicited(unsolicited(&frame))),
                    _ => Err("a frame that nobody asked for is of no known dialect".to_owned()),
                }
            }
        }
    }
}

fn last(bytes: &[u8], length: usize, what: &str) -> Result<Bytes, String> {
    let start = bytes.len().checked_sub(length).ok_or_else(|| {
        let here = bytes.len();
        format!("of its {what} of {length} bytes {here} are in the file")
    })?;
    Ok(Bytes::copy_from_slice(&bytes[start..]))
}
