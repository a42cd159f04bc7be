use utoipa::ToSchema;

use super::value::Number;

/// Two answers to one poll, and why the verdict on them may be believed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct TwoAnswers {
    /// The exchange's number.
    n: u64,
    /// What comparing came to; `null` where nothing was compared.
    #[schema(required)]
    verdict: Option<String>,
    /// What the two come to, in a clause; `null` where the verdict's name says it all.
    #[schema(required)]
    conclusion: Option<String>,
    /// Both beside each other; `null` where not two answers were compared: of a probe of
    /// several partitions none is TCP's counterpart.
    #[schema(required)]
    beside: Option<Beside>,
    /// What the verdict stands on, and what could make it wrong.
    grounds: Vec<Ground>,
    /// What to do, where the verdict claims nothing.
    #[schema(required)]
    next_step: Option<String>,
}

/// Two answers, field by field and message by message.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Beside {
    /// The figures in words.
    words: String,
    /// How much differs.
    counted: Counted,
    /// The fields of the answers themselves.
    fields: Vec<ComparedField>,
    /// The messages by their offsets.
    messages: Vec<Aligned>,
}

/// How much differs, of how much.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Counted {
    /// Fields that both can tell.
    fields: u64,
    /// Of those, the ones that differ.
    fields_differ: u64,
    /// Messages that both have, the same.
    messages_equal: u64,
    /// Messages that both have, not the same.
    messages_differ: u64,
    /// Messages that only TCP has.
    messages_only_tcp: u64,
    /// Messages that only HTTP has.
    messages_only_http: u64,
    /// Messages that one side was not asked for.
    messages_not_asked: u64,
}

/// A field of both.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct ComparedField {
    /// Its name.
    field: String,
    /// What TCP has there.
    #[schema(required)]
    tcp: Option<String>,
    /// What HTTP has there.
    #[schema(required)]
    http: Option<String>,
    /// Whether both say the same.
    equal: bool,
    /// Whether both can tell it: else it is no difference.
    comparable: bool,
    /// Where bytes begin to differ.
    #[schema(required)]
    bytes: Option<BytesDiffer>,
}

/// Where two runs of bytes begin to differ, and what is there, in hex.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct BytesDiffer {
    /// Bytes before the first that differs.
    first_difference: u64,
    /// Bytes before those that are quoted.
    quoted_from: u64,
    /// What TCP has from there.
    tcp: String,
    /// What HTTP has from there.
    http: String,
}

/// Messages at an offset, or at several in a row.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Aligned {
    /// How they are to each other: `equal`, `differs`, `only_tcp`, `only_http`,
    /// `not_asked_of_http`, `not_asked_of_tcp`.
    is: String,
    /// Their first offset.
    first_offset: Number,
    /// Their last offset.
    last_offset: Number,
    /// How many there are.
    count: u64,
    /// Every field, where they differ.
    #[schema(nullable = false)]
    fields: Option<Vec<ComparedField>>,
}

/// A question about a verdict, and its answer.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Ground {
    /// The question.
    question: String,
    /// The answer.
    answer: String,
}
