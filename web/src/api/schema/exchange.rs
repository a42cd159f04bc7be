use std::borrow::Cow;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::comparison::Comparison;
use super::poll::{Poll, PollAnswer};
use super::value::{Number, any_object_or};

/// One request and its reply, or their absence.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Exchange {
    /// Its number, from 1.
    n: u64,
    /// Its connection's number.
    conn: u64,
    /// The route that the connection came by; `null` where there are none with names.
    #[schema(required)]
    route: Option<String>,
    /// When its first byte passed here.
    #[schema(format = DateTime)]
    time: String,
    /// `classic`, `vsr` or `http`.
    #[schema(pattern = "^(classic|vsr|http)$")]
    dialect: String,
    /// How its frames lay out what they carry.
    layout: Layout,
    /// The command's name, like `poll_messages`.
    command: String,
    /// The command's code; `null` where there is none.
    #[schema(required)]
    code: Option<u32>,
    /// 0 or the error's code; `null` without a reply.
    #[schema(required)]
    status: Option<u32>,
    /// The error's name; `null` where there is none.
    #[schema(required)]
    error: Option<String>,
    /// From the request's first byte to the reply's last, in microseconds; `null` without a reply.
    #[schema(required)]
    latency_us: Option<u64>,
    /// What was asked; `null` where it could not be read.
    #[schema(required)]
    request: Option<Asked>,
    /// What was answered; `null` where there is nothing, or it could not be read.
    #[schema(required)]
    response: Option<Answered>,
    /// `agree`, `diverge`, `not_comparable`, `transient`, `stale` or `mirror_failed`; `null`
    /// where nothing was compared.
    #[schema(
        required,
        pattern = "^(agree|diverge|not_comparable|transient|stale|mirror_failed)$"
    )]
    verdict: Option<String>,
    /// Whether a rule mutes the verdict.
    verdict_muted: bool,
    /// What the verdict rests on.
    #[schema(required)]
    comparison: Option<Comparison>,
    /// The findings that name it.
    findings: Vec<String>,
    /// Those that a rule mutes.
    muted_findings: Vec<String>,
    /// Why it could not be decoded, and where.
    #[schema(required)]
    undecoded: Option<String>,
    /// Bytes of its frames, or of the bodies of HTTP.
    bytes: u64,
    /// The fault that parallax injected into it, because it was asked to.
    #[schema(required)]
    injected: Option<String>,
    /// What parallax rewrote of it, so that the client stays with it.
    #[schema(required)]
    rewritten: Option<String>,
    /// The status of the server's own answer, where the client got another or none.
    #[schema(required)]
    server_status: Option<u32>,
    /// Bytes of that answer's body.
    #[schema(required)]
    server_length: Option<Number>,
    /// Whether a reader marked it.
    marked: bool,
    /// What a reader wrote beside it; `null` where nothing.
    #[schema(required)]
    comment: Option<String>,
}

/// What the frames of one exchange show; `null` where they do not tell.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Layout {
    /// How messages are sent: `headers_56`, `headers_64` or `batches`.
    #[schema(required)]
    messages_sent: Option<String>,
    /// How messages are polled.
    #[schema(required)]
    messages_polled: Option<String>,
    /// How a partition is named: `flagged` or `plain`.
    #[schema(required)]
    partition: Option<String>,
    /// Where the reply has its status: `at_216`, `at_224` or `nowhere`.
    #[schema(required)]
    status: Option<String>,
}

/// A request's body.
struct Asked;

impl PartialSchema for Asked {
    fn schema() -> RefOr<Schema> {
        let what = "Of a poll what it asked; of another command its fields by their names.";
        any_object_or(&[Poll::name()], what)
    }
}

impl ToSchema for Asked {
    fn name() -> Cow<'static, str> {
        "Request".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Poll::name().into(), Poll::schema()));
        Poll::schemas(schemas);
    }
}

/// A reply's body.
struct Answered;

impl PartialSchema for Answered {
    fn schema() -> RefOr<Schema> {
        let what = "Of a poll its answer; of another command its fields by their names.";
        any_object_or(&[PollAnswer::name()], what)
    }
}

impl ToSchema for Answered {
    fn name() -> Cow<'static, str> {
        "Response".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((PollAnswer::name().into(), PollAnswer::schema()));
        PollAnswer::schemas(schemas);
    }
}
