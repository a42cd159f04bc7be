use utoipa::ToSchema;

use super::poll::PollAnswer;
use super::value::{Number, PartitionAnswered};

/// What a verdict rests on.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Comparison {
    /// Why, in a sentence or two.
    reason: String,
    /// What was asked over HTTP and on what ground that is the same question.
    basis: String,
    /// Field by field, what differs.
    differences: Vec<Difference>,
    /// Everything that was asked over HTTP, in the order it was asked.
    answers: Vec<MirrorAnswer>,
    /// Both sides once more, where they differed and could be asked.
    #[schema(required)]
    asked_again: Option<AskedAgain>,
    /// The known, harmless differences that were met.
    known: Vec<KnownDifference>,
    /// The rule that mutes it.
    #[schema(required)]
    muted_by: Option<String>,
}

/// One field that differs.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Difference {
    /// The field's path, like `messages[3].payload`.
    field: String,
    /// What TCP said.
    tcp: String,
    /// What HTTP said.
    http: String,
}

/// A difference between server versions that harms nobody.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct KnownDifference {
    /// Which one.
    id: String,
    /// The versions that show it.
    versions: String,
    /// What differs.
    what: String,
}

/// One HTTP request and what came back: an answer, a refusal, or why there is neither.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct MirrorAnswer {
    /// The partition that the request named; `null` where it named none.
    #[schema(required)]
    partition_id: Option<u32>,
    /// Path and query.
    target: String,
    /// How long the answer took, in microseconds.
    #[schema(required)]
    latency_us: Option<u64>,
    /// When it was asked; `null` where a file does not tell.
    #[schema(required)]
    asked: Option<String>,
    /// When it was answered; `null` where nothing came back or a file does not tell.
    #[schema(required)]
    answered: Option<String>,
    /// The exchange that it is, where somebody else asked it in the same capture.
    #[schema(required)]
    exchange: Option<u64>,
    /// The HTTP status; absent where nothing usable came back.
    #[schema(nullable = false)]
    http_status: Option<u16>,
    /// Iggy's code; `null` where the refusal had none.
    status: Option<u32>,
    /// The code's name; `null` where the refusal had none.
    error: Option<String>,
    /// A refusal's text, as the server wrote it.
    #[schema(nullable = false)]
    reason: Option<String>,
    /// The answer; `null` where no offset is stored.
    response: Option<MirrorResponse>,
    /// What happened and what to do, where nothing usable came back.
    #[schema(nullable = false)]
    failed: Option<String>,
}

/// What HTTP answered: to a poll messages, to the question for a stored offset that offset.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the answer")]
enum MirrorResponse {
    Polled(PollAnswer),
    Stored(ConsumerOffset),
}

/// What is stored for a consumer.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct ConsumerOffset {
    /// The partition.
    partition_id: PartitionAnswered,
    /// The partition's last offset.
    current_offset: Number,
    /// The last offset consumed.
    stored_offset: Number,
}

/// Both sides asked once more: TCP, HTTP, TCP again.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct AskedAgain {
    /// What these answers come to on their own.
    verdict: String,
    /// Why, in a sentence or two.
    reason: String,
    /// What differs between TCP's first answer and HTTP's.
    differences: Vec<Difference>,
    /// What TCP answered first, one for each question.
    tcp_before: Vec<TcpAnswer>,
    /// What HTTP answered then, in the same order.
    answers: Vec<MirrorAnswer>,
    /// What TCP answered last, in the same order.
    tcp_after: Vec<TcpAnswer>,
}

/// One poll over parallax's own TCP connection and what came back.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct TcpAnswer {
    /// The partition that it named.
    partition_id: u32,
    /// From where it read.
    strategy: String,
    /// The offset or time that it named; 0 where the strategy has none.
    value: Number,
    /// 0 or the error's code.
    status: u32,
    /// The error's name.
    #[schema(required)]
    error: Option<String>,
    /// The messages; `null` where it was refused.
    #[schema(required)]
    response: Option<PollAnswer>,
    /// From the request's first byte to the reply's last, in microseconds.
    latency_us: u64,
    /// When it was asked; `null` where a file does not tell.
    #[schema(required)]
    asked: Option<String>,
    /// When it was answered; `null` where nothing came back or a file does not tell.
    #[schema(required)]
    answered: Option<String>,
}
