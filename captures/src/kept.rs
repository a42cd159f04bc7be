//! Bytes of memory that keeping something costs, about: what was received, and
//! what it was made into.

use bytes::Bytes;
use parallax_codec::messages::{Message, MessageLayout, UserHeader};
use parallax_codec::{Reply, Request};

use crate::exchange::{BinaryContent, Content, Exchange, HttpContent};
use crate::limits::DECODED_BYTES_PER_BYTE;
use crate::poll::{PollAnswer, PolledMessage, UserHeaders};
use crate::verdict::{
    Difference, HttpRefusal, MirrorAnswer, MirrorOutcome, TcpAnswer, TcpOutcome, Verdict,
};

/// An exchange with its verdict.
pub(crate) fn exchange_bytes(exchange: &Exchange) -> usize {
    let content = match &exchange.content {
        Content::Binary(content) => binary_bytes(content),
        Content::Http(content) => http_bytes(content),
        Content::Unsolicited(content) => content.frame.len(),
    };
    let undecoded = exchange.undecoded.as_ref().map_or(0, |u| u.why.len());
    let verdict = exchange.verdict.as_ref();
    // Answers may share the payloads that TCP gave.
    let frame = exchange.binary().map_or(&[][..], |c| &c.reply_frame[..]);
    size_of::<Exchange>()
        + content
        + undecoded
        + size_of_val(exchange.findings.as_slice())
        + size_of_val(exchange.muted_findings.as_slice())
        + exchange.annotation.comment.len()
        + exchange
            .altered
            .as_ref()
            .map_or(0, |altered| altered.held_bytes())
        + verdict.map_or(0, |verdict| verdict_bytes(verdict, frame))
}

fn binary_bytes(content: &BinaryContent) -> usize {
    // Payloads are slices of the frame.
    let request = match &content.request {
        Some(Request::SendMessages(request)) => messages_bytes(&request.messages, &request.layout),
        Some(_) => content.request_frame.len() * DECODED_BYTES_PER_BYTE,
        None => 0,
    };
    let reply = match &content.reply {
        Some(Reply::PolledMessages(reply)) => messages_bytes(&reply.messages, &reply.layout),
        Some(_) => content.reply_frame.len() * DECODED_BYTES_PER_BYTE,
        None => 0,
    };
    content.request_frame.len() + content.reply_frame.len() + request + reply
}

fn messages_bytes(messages: &[Message], layout: &MessageLayout) -> usize {
    let batches = match layout {
        MessageLayout::Batches(batches) => size_of_val(batches.as_slice()),
        _ => 0,
    };
    size_of_val(messages) + batches
}

fn http_bytes(content: &HttpContent) -> usize {
    let answer = match &content.answer {
        Some(Ok(answer)) => answer_bytes(answer, &[]),
        Some(Err(refusal)) => refusal.reason.len(),
        None => 0,
    };
    content.method.len()
        + content.target.len()
        + content.request_body.len()
        + content.response_body.len()
        + answer
}

/// A verdict, without the payloads that are slices of `frame`.
fn verdict_bytes(verdict: &Verdict, frame: &[u8]) -> usize {
    let again = verdict.asked_again.as_ref().map_or(0, |again| {
        let tcp = again.tcp_before.iter().chain(&again.tcp_after);
        again.reason.len()
            + differences_bytes(&again.differences)
            + mirror_answers_bytes(&again.answers, frame)
            + tcp.map(|one| tcp_answer_bytes(one, frame)).sum::<usize>()
    });
    verdict.reason.len()
        + verdict.basis.len()
        + differences_bytes(&verdict.differences)
        + mirror_answers_bytes(&verdict.answers, frame)
        + again
}

fn differences_bytes(differences: &[Difference]) -> usize {
    let difference = |one: &Difference| {
        size_of::<Difference>() + one.field.len() + one.tcp.len() + one.http.len()
    };
    differences.iter().map(difference).sum()
}

fn mirror_answers_bytes(answers: &[MirrorAnswer], frame: &[u8]) -> usize {
    let answer = |one: &MirrorAnswer| {
        let outcome = match &one.outcome {
            MirrorOutcome::Answered(answer) => answer_bytes(answer, frame),
            MirrorOutcome::Refused(HttpRefusal { reason, .. }) => reason.len(),
            MirrorOutcome::Failed(why) => why.len(),
            MirrorOutcome::Stored(_) => 0,
        };
        size_of::<MirrorAnswer>() + one.target.len() + outcome
    };
    answers.iter().map(answer).sum()
}

fn tcp_answer_bytes(answer: &TcpAnswer, frame: &[u8]) -> usize {
    let outcome = match &answer.outcome {
        TcpOutcome::Answered(answer) => answer_bytes(answer, frame),
        TcpOutcome::Refused(_) => 0,
    };
    size_of::<TcpAnswer>() + outcome
}

fn answer_bytes(answer: &PollAnswer, frame: &[u8]) -> usize {
    let message = |message: &PolledMessage| {
        let owned = |part: &Bytes| {
            let shared = frame.as_ptr_range().contains(&part.as_ptr());
            if shared { 0 } else { part.len() }
        };
        let headers = match &message.user_headers {
            UserHeaders::Decoded(headers) => headers.iter().map(header_bytes).sum(),
            UserHeaders::Opaque(bytes) => owned(bytes),
        };
        size_of::<PolledMessage>() + owned(&message.payload) + headers
    };
    answer.messages.iter().map(message).sum()
}

fn header_bytes(header: &UserHeader) -> usize {
    size_of::<UserHeader>() + header.key.bytes.len() + header.value.bytes.len()
}
