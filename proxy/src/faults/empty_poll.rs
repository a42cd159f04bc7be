//! A poll that finds nothing, while the server found something.

use bytes::{Bytes, BytesMut};
use parallax_codec::vsr::HEADER_SIZE;
use parallax_codec::{Dialect, Encode as _, Request, classic};

use crate::relay::in_path::{
    Decision, Mark, ReplyFrame, RequestFrame, Rewrite, Rewritten, ToServer,
};

/// What a poll's body begins with in both dialects: partition, current offset and count
/// (`iggy_binary_protocol` 0.10.0 and 0.11.0, `responses/messages/poll_messages.rs`).
const PREFIX: usize = 16;
const COUNT_AT: usize = 12;

/// Serves the poll as empty: with the partition and the current offset that the server
/// gives, as a server does whose oldest segment is gone (case A2). A server that finds
/// nothing stores no offset, so it is asked without `auto_commit`.
pub(super) fn decision(request: &RequestFrame, asked: Option<&Request>, mark: Mark) -> Decision {
    let other = asked.and_then(|asked| without_auto_commit(request, asked));
    let mut decision = Decision::default();
    if let Some(other) = other {
        decision.to_server = ToServer::Replace(other);
        decision.marks.push(Mark {
            what: format!("{} (the server was asked without auto_commit)", mark.what),
            ..mark.clone()
        });
    }
    decision.rewrites.push(Rewrite {
        needs: PREFIX,
        with: Box::new(move |reply| {
            Some(Rewritten {
                frame: emptied(reply)?,
                mark,
            })
        }),
    });
    decision
}

/// The request with `auto_commit` off; `None` where it is off already.
fn without_auto_commit(request: &RequestFrame, asked: &Request) -> Option<Bytes> {
    let body = request.body.as_ref()?;
    let mut asked = asked.clone();
    let (Request::PollMessages(poll) | Request::PollMessagesOnPrimary(poll)) = &mut asked else {
        return None;
    };
    poll.auto_commit.then_some(())?;
    let same = poll.encode() == *body;
    poll.auto_commit = false;
    let other = poll.encode();
    (same && other.len() == body.len()).then_some(())?;
    // No field before the body changes: reads are not summed.
    let header = match request.dialect {
        Dialect::Classic => &request.header[..classic::FRAME_HEADER_SIZE],
        Dialect::Vsr => &request.header[..HEADER_SIZE],
    };
    let mut frame = BytesMut::from(header);
    frame.extend_from_slice(&other);
    Some(frame.freeze())
}

/// The reply without its messages; `None` where it is an error or has none.
fn emptied(reply: &ReplyFrame) -> Option<Bytes> {
    let prefix = reply.body.get(..PREFIX)?;
    let has_messages = prefix[COUNT_AT..].iter().any(|byte| *byte != 0);
    if reply.status() != Some(0) || !has_messages {
        return None;
    }
    let mut body = [0; PREFIX];
    body[..COUNT_AT].copy_from_slice(&prefix[..COUNT_AT]);
    Some(reply.with_body(&body))
}
