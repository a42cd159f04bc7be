//! Is a consumer's stored offset the same over HTTP?

use parallax_captures::Exchange;
use parallax_captures::known::BARE_NOT_FOUND;
use parallax_captures::verdict::{
    Difference, MirrorAnswer, MirrorOutcome, StoredOffset, Verdict, VerdictKind,
};
use parallax_codec::commands::GetConsumerOffset;
use parallax_codec::primitives::ConsumerKind;
use parallax_codec::{ErrorCode, Reply, Request};

use super::Judgement;
use super::plan::unaskable_name;

/// The partition that is read where none is named (servers from 0.6; case C4).
const DEFAULT_PARTITION: u32 = 0;

/// What a question for a stored offset came to on TCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TcpOffset {
    /// An offset, or none.
    Stored(Option<StoredOffset>),
    /// An error.
    Refused(ErrorCode),
}

/// Both sides once more: TCP, HTTP, TCP again.
#[derive(Debug)]
pub struct OffsetAgain {
    /// What TCP answered first.
    pub before: TcpOffset,
    /// What HTTP answered then.
    pub http: MirrorOutcome,
    /// What TCP answered last.
    pub after: TcpOffset,
}

/// The question, where the exchange is one for a stored offset.
pub fn offset_question(exchange: &Exchange) -> Option<&GetConsumerOffset> {
    match exchange.binary()?.request.as_ref()? {
        Request::GetConsumerOffset(request) => Some(request),
        _ => None,
    }
}

impl TcpOffset {
    /// What the exchange came to.
    ///
    /// # Errors
    /// Why there is nothing to compare.
    pub fn of(exchange: &Exchange) -> Result<Self, String> {
        if exchange.times.reply.is_none() {
            return Err("The question was not answered on TCP.".to_owned());
        }
        if let Some(code) = exchange.error() {
            return Ok(Self::Refused(code));
        }
        match exchange.binary().and_then(|content| content.reply.as_ref()) {
            Some(Reply::ConsumerOffset(reply)) => Ok(Self::Stored(Some(StoredOffset {
                partition_id: reply.partition_id,
                current_offset: reply.current_offset,
                stored_offset: reply.stored_offset,
            }))),
            Some(Reply::Empty) => Ok(Self::Stored(None)),
            _ => Err("The answer on TCP could not be read.".to_owned()),
        }
    }

    fn told(self) -> String {
        match self {
            Self::Stored(stored) => told(stored),
            Self::Refused(code) => code.to_string(),
        }
    }

    /// By what is stored alone: the log may grow meanwhile.
    fn key(self) -> Result<Option<u64>, ErrorCode> {
        match self {
            Self::Stored(stored) => Ok(stored.map(|stored| stored.stored_offset)),
            Self::Refused(code) => Err(code),
        }
    }
}

/// The partition to ask HTTP about.
///
/// # Errors
/// Why HTTP cannot be asked.
pub fn offset_partition(request: &GetConsumerOffset) -> Result<u32, String> {
    let (stream, topic) = (&request.stream, &request.topic);
    if request.consumer.kind == ConsumerKind::Group {
        return Err("The offset is a group's, and HTTP has no groups.".to_owned());
    }
    let consumer = &request.consumer.id;
    let names = [("stream", stream), ("topic", topic), ("consumer", consumer)];
    match names
        .into_iter()
        .find_map(|(what, name)| unaskable_name(what, name))
    {
        Some(reason) => Err(reason),
        None => Ok(request.partition_id.unwrap_or(DEFAULT_PARTITION)),
    }
}

/// Whether the two differ, so that both are to be asked again.
pub fn offsets_differ(tcp: TcpOffset, http: &MirrorOutcome) -> bool {
    judgement(tcp, http).kind == VerdictKind::Diverge
}

/// Weighs what HTTP answered against what TCP said.
pub fn judge_offset(tcp: TcpOffset, answer: MirrorAnswer, again: Option<OffsetAgain>) -> Verdict {
    let mut judged = judgement(tcp, &answer.outcome);
    if let Some(again) = again {
        judged = with_again(judged, &again);
    }
    let partition = answer.partition_id.unwrap_or(DEFAULT_PARTITION);
    Verdict {
        kind: judged.kind,
        reason: judged.reason,
        basis: format!("The same question: the offset stored for partition {partition}."),
        differences: judged.differences,
        answers: vec![answer],
        asked_again: None,
        known: judged.known,
        muted: None,
    }
}

fn judgement(tcp: TcpOffset, http: &MirrorOutcome) -> Judgement {
    let agree = |reason: String| Judgement::new(VerdictKind::Agree, reason);
    match (tcp, http) {
        (_, MirrorOutcome::Failed(why)) => Judgement::new(VerdictKind::MirrorFailed, why.as_str()),
        (TcpOffset::Stored(tcp), MirrorOutcome::Stored(http))
            if tcp.map(|one| one.stored_offset) == http.map(|one| one.stored_offset) =>
        {
            agree(format!("Both say: {}.", told(tcp)))
        }
        (TcpOffset::Refused(code), MirrorOutcome::Stored(None)) => {
            agree(format!("TCP refuses with {code}, HTTP with 404.")).knowing([&BARE_NOT_FOUND])
        }
        (TcpOffset::Refused(code), MirrorOutcome::Refused(refusal))
            if refusal.code == Some(code) =>
        {
            agree(format!(
                "Both refuse: TCP with {code}, HTTP with {refusal}."
            ))
        }
        _ => {
            let difference = Difference {
                field: "stored_offset".to_owned(),
                tcp: tcp.told(),
                http: http_told(http),
            };
            let reason = format!(
                "TCP says {}, HTTP says {}.",
                difference.tcp, difference.http
            );
            Judgement::diverge(reason, vec![difference])
        }
    }
}

fn with_again(first: Judgement, again: &OffsetAgain) -> Judgement {
    let (before, after) = (again.before, again.after);
    let then = format!(
        "Asked again, TCP, HTTP, TCP: {}; {}; {}.",
        before.told(),
        http_told(&again.http),
        after.told()
    );
    let kind = match judgement(before, &again.http).kind {
        _ if before.key() != after.key() => VerdictKind::NotComparable,
        VerdictKind::Agree => VerdictKind::Transient,
        VerdictKind::MirrorFailed => first.kind,
        other => other,
    };
    let differences = match kind {
        VerdictKind::Diverge => first.differences,
        _ => Vec::new(),
    };
    Judgement {
        kind,
        reason: format!("{} {then}", first.reason),
        differences,
        known: first.known,
    }
}

fn told(stored: Option<StoredOffset>) -> String {
    match stored {
        Some(stored) => format!("offset {} is stored", stored.stored_offset),
        None => "no offset is stored".to_owned(),
    }
}

fn http_told(outcome: &MirrorOutcome) -> String {
    match outcome {
        MirrorOutcome::Stored(stored) => told(*stored),
        MirrorOutcome::Refused(refusal) => refusal.to_string(),
        MirrorOutcome::Failed(why) => why.clone(),
        MirrorOutcome::Answered(_) => "messages".to_owned(),
    }
}
