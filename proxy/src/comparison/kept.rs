//! What is kept of HTTP's answers once they are judged.

use bytes::Bytes;
use parallax_captures::limits::MIRRORED_PAYLOAD_BYTES;
use parallax_captures::poll::{PollAnswer, PolledMessage, UserHeaders};
use parallax_captures::verdict::{AskedBy, MirrorAnswer, MirrorOutcome, TcpAnswer, TcpOutcome};

/// Payloads that equal TCP's are kept there and shared; of the others the first
/// bytes are kept, and the lengths. Answers that a capture holds stay as they
/// are.
pub(super) fn keep_little(tcp: &TcpOutcome, answers: &mut [MirrorAnswer]) {
    for answer in answers {
        if let MirrorOutcome::Answered(body) = &mut answer.outcome
            && answer.asked_by == AskedBy::Mirror
        {
            share(tcp, body);
        }
    }
}

/// The same of what TCP answered to parallax.
pub(super) fn keep_little_of_tcp(tcp: &TcpOutcome, answers: &mut [TcpAnswer]) {
    for answer in answers {
        if let TcpOutcome::Answered(body) = &mut answer.outcome {
            share(tcp, body);
            unshare_headers(body);
        }
    }
}

fn share(tcp: &TcpOutcome, body: &mut PollAnswer) {
    let given: &[PolledMessage] = match tcp {
        TcpOutcome::Answered(answer) => &answer.messages,
        TcpOutcome::Refused(_) => &[],
    };
    let mut room = MIRRORED_PAYLOAD_BYTES;
    for (index, message) in body.messages.iter_mut().enumerate() {
        match given.get(index) {
            Some(same) if same.payload == message.payload => {
                message.payload = same.payload.clone();
            }
            _ => cut(message, &mut room),
        }
    }
}

/// A copy of the beginning: a slice would keep the whole, and of a TCP reply every
/// payload is one.
fn cut(message: &mut PolledMessage, room: &mut usize) {
    let kept = message.payload.len().min(*room);
    *room -= kept;
    message.payload_left_out = message.payload.len() - kept;
    message.payload = Bytes::copy_from_slice(&message.payload[..kept]);
}

/// Headers that are not read stay a slice of the reply.
fn unshare_headers(body: &mut PollAnswer) {
    for message in &mut body.messages {
        if let UserHeaders::Opaque(bytes) = &mut message.user_headers {
            *bytes = Bytes::copy_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::sample::{answer, mirrored};

    #[test]
    fn a_payload_that_tcp_gave_too_is_shared_and_others_are_cut_with_their_length() {
        let long = Bytes::from(vec![b'x'; MIRRORED_PAYLOAD_BYTES]);
        let tcp = answer(0, 26, 0..1);
        let mut http = answer(0, 26, 0..3);
        http.messages[1].payload = long.clone();
        http.messages[2].payload = long.slice(..100);
        let mut answers = vec![mirrored(0, MirrorOutcome::Answered(http))];
        keep_little(&TcpOutcome::Answered(tcp.clone()), &mut answers);
        let MirrorOutcome::Answered(kept) = &answers[0].outcome else {
            panic!("{answers:?}");
        };
        let shared = &kept.messages[0].payload;
        assert_eq!(shared.as_ptr(), tcp.messages[0].payload.as_ptr());
        assert_eq!(kept.messages[1].payload.len(), MIRRORED_PAYLOAD_BYTES);
        assert!(kept.messages[2].payload.is_empty());
        assert_eq!(kept.messages[2].payload_length(), 100);
    }
}
