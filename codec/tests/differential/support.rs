//! What all areas share: generators of values, and the laws every command obeys.

use std::fmt::Debug;
use std::ops::Range;

use bytes::Bytes;
use iggy_binary_protocol::codec::{WireDecode, WireEncode};
use iggy_binary_protocol::{WireIdentifier, WireName};
use parallax_codec::primitives::{Identifier, PartitionLayout};
use parallax_codec::{
    DecodeError, Dialect, Encode, Fault, Field, Reply, Request, Value, secret_ranges,
};
use proptest::prelude::*;

/// A request that both crates can write and read: same bytes, same fields, and
/// the field tree tiles the body.
pub(crate) fn assert_same_request<T: WireEncode + WireDecode + PartialEq + Debug>(
    code: u32,
    theirs: &T,
    ours: &Request,
) {
    let bytes = theirs.to_bytes();
    assert_eq!(&ours.encode(), &bytes);
    assert_eq!(ours.code(), code);
    if !is_of_two_layouts(code, &bytes) {
        assert_eq!(
            &Request::decode(crate::DIALECT, code, &bytes).unwrap(),
            ours
        );
    }
    assert_eq!(
        &T::decode(&bytes).unwrap(),
        &(read_back(theirs), bytes.len())
    );
    assert_tiles(&ours.fields(8), 8..8 + bytes.len());
    let told = |mutant: &Bytes| !is_of_two_layouts(code, mutant);
    for mutant in mutants(&bytes).filter(told) {
        let theirs = their_reading::<T>(&mutant);
        assert_agree(&mutant, our_request(code, &mutant), theirs.as_ref());
    }
}

/// The same for a reply. A body of no byte is [`Reply::Empty`], whatever the
/// command.
pub(crate) fn assert_same_reply<T: WireEncode + WireDecode + PartialEq + Debug>(
    codes: &[u32],
    theirs: &T,
    ours: &Reply,
) {
    let bytes = theirs.to_bytes();
    assert_eq!(&ours.encode(), &bytes);
    let expected = if bytes.is_empty() {
        &Reply::Empty
    } else {
        ours
    };
    for code in codes {
        if is_reply_of_two_layouts(*code, &bytes) {
            continue;
        }
        let (decoded, fault) = Reply::decode(crate::DIALECT, *code, &bytes).unwrap();
        assert_eq!(&decoded, expected);
        assert_eq!(fault, None);
    }
    assert_eq!(
        &T::decode(&bytes).unwrap(),
        &(read_back(theirs), bytes.len())
    );
    assert_tiles(&ours.fields(8), 8..8 + bytes.len());
    let told = |mutant: &Bytes| !mutant.is_empty() && !is_reply_of_two_layouts(codes[0], mutant);
    for mutant in mutants(&bytes).filter(told) {
        let theirs = their_reading::<T>(&mutant);
        assert_agree(&mutant, our_reply(codes[0], &mutant), theirs.as_ref());
    }
}

/// What the body of a request says once read and written anew; `None` where it
/// cannot be read to its end.
pub(crate) fn our_request(code: u32, body: &Bytes) -> Option<Bytes> {
    let request = Request::decode(crate::DIALECT, code, body).ok()?;
    if is_an_older_request(&request) {
        return None;
    }
    assert_tiles(&request.fields(8), 8..8 + body.len());
    Some(request.encode())
}

/// The same for a reply.
pub(crate) fn our_reply(code: u32, body: &Bytes) -> Option<Bytes> {
    let (reply, _) = Reply::decode(crate::DIALECT, code, body).ok()?;
    if is_an_older_reply(&reply) {
        return None;
    }
    assert_tiles(&reply.fields(8), 8..8 + body.len());
    Some(reply.encode())
}

/// Whether a request, one in many thousands, fits the older servers' layout as well, and
/// nothing in it tells which it is. Then it can be read as one in the classic dialect.
pub(crate) fn is_of_two_layouts(code: u32, body: &Bytes) -> bool {
    let read = |dialect| Request::decode(dialect, code, body).map(|_| ());
    is_undetermined(read)
}

/// The same of a reply.
pub(crate) fn is_reply_of_two_layouts(code: u32, body: &Bytes) -> bool {
    let read = |dialect| Reply::decode(dialect, code, body).map(|_| ());
    is_undetermined(read)
}

fn is_undetermined(read: impl Fn(Dialect) -> Result<(), DecodeError>) -> bool {
    let is_it = read(crate::DIALECT).is_err_and(|error| error.fault == Fault::Undetermined);
    let classic = read(Dialect::Classic);
    assert!(!is_it || classic.is_ok(), "{classic:?}");
    is_it
}

/// Whether a request is laid out as older servers want it, which they read no more.
fn is_an_older_request(request: &Request) -> bool {
    let is_vsr = crate::DIALECT == Dialect::Vsr;
    match request {
        Request::PollMessages(request) => request.partition_layout == PartitionLayout::Plain,
        Request::GetConsumerOffset(request) => request.partition_layout == PartitionLayout::Plain,
        Request::StoreConsumerOffset(request) => {
            request.partition_layout == PartitionLayout::Plain || is_vsr && request.ack.is_none()
        }
        Request::DeleteConsumerOffset(request) => {
            request.partition_layout == PartitionLayout::Plain || is_vsr && request.ack.is_none()
        }
        Request::CreateStreamWithId(_)
        | Request::CreateTopicWithId(_)
        | Request::CreateConsumerGroupWithId(_) => true,
        Request::CreateTopic(_) | Request::UpdateTopic(_) => is_vsr,
        _ => false,
    }
}

/// The same of a reply.
fn is_an_older_reply(reply: &Reply) -> bool {
    let has_no_options = match reply {
        Reply::Stats(stats) => return stats.resources.is_none(),
        Reply::CreatedStream(stream) => stream.options.is_none(),
        Reply::Stream(details) => details.stream.options.is_none(),
        Reply::Streams(streams) => streams.iter().any(|stream| stream.options.is_none()),
        Reply::Topic(details) => details.topic.options.is_none(),
        Reply::Topics(_) => true,
        Reply::User(details) => details.user.options.is_none(),
        Reply::Users(users) => users.iter().any(|user| user.options.is_none()),
        _ => false,
    };
    crate::DIALECT == Dialect::Vsr && has_no_options
}

/// The same by their decoder and encoder.
pub(crate) fn their_reading<T: WireDecode + WireEncode>(body: &[u8]) -> Option<Bytes> {
    let (value, consumed) = T::decode(body).ok()?;
    (consumed == body.len()).then(|| value.to_bytes())
}

/// What we read, they read the same. What they read and would have written
/// themselves, we read.
pub(crate) fn assert_agree(body: &Bytes, ours: Option<Bytes>, theirs: Option<&Bytes>) {
    if let Some(ours) = ours {
        assert_eq!(Some(&ours), theirs, "we read what they do not");
    } else {
        assert_ne!(theirs, Some(body), "they read what we do not");
    }
}

/// A body with a byte changed, added or lost, or cut short, at three places
/// that differ from body to body.
fn mutants(body: &Bytes) -> impl Iterator<Item = Bytes> {
    let step = (body.len() / 3).max(1);
    let sum: usize = body.iter().copied().map(usize::from).sum();
    (sum % step..body.len()).step_by(step).flat_map(|at| {
        let (before, byte, after) = (&body[..at], body[at], &body[at + 1..]);
        [
            before.to_vec(),
            [before, after].concat(),
            [before, &[byte, 1], after].concat(),
            [before, &[byte.wrapping_add(1)], after].concat(),
            [before, &[0], after].concat(),
            [before, &[0xff], after].concat(),
        ]
        .map(Bytes::from)
    })
}

/// Their value after a round trip of their own: an empty text comes back as none.
fn read_back<T: WireEncode + WireDecode>(theirs: &T) -> T {
    T::decode_from(&theirs.to_bytes()).unwrap()
}

/// The leaves follow each other without a gap and without overlap, and fill
/// `whole`; every group and list spans exactly what is in it.
pub(crate) fn assert_tiles(fields: &[Field], whole: Range<usize>) {
    let mut at = whole.start;
    for field in fields {
        assert_eq!(field.range.start, at, "{} begins elsewhere", field.name);
        match &field.value {
            Value::Group(inner) | Value::List(inner) => assert_tiles(inner, field.range.clone()),
            _ => {}
        }
        at = field.range.end;
    }
    assert_eq!(at, whole.end, "the fields end elsewhere");
}

/// Nothing of `secret` shows, and the bytes that are masked are the secret's.
pub(crate) fn assert_hidden(secrets: &[&str], bytes: &Bytes, fields: &[Field], debug: &str) {
    let masked: Vec<&[u8]> = secret_ranges(fields)
        .into_iter()
        .map(|range| &bytes[range])
        .collect();
    let expected: Vec<&[u8]> = secrets.iter().map(|secret| secret.as_bytes()).collect();
    assert_eq!(masked, expected);
    let shown = format!("{fields:?}{debug}");
    for secret in secrets.iter().filter(|secret| secret.len() > 12) {
        assert!(!shown.contains(secret), "a secret shows");
    }
}

/// A name of 1 to 255 bytes, not all of them ASCII.
pub(crate) fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-z0-9_é-]{1,20}",
        1 => "[0-9]{1,6}",
        1 => "[a-z]{255}",
    ]
}

/// A password or token that cannot be mistaken for something else.
pub(crate) fn secret() -> impl Strategy<Value = String> {
    "[A-Z]{20,60}"
}

pub(crate) fn identifier() -> impl Strategy<Value = Identifier> {
    prop_oneof![
        any::<u32>().prop_map(Identifier::Numeric),
        name().prop_map(Identifier::Named),
    ]
}

pub(crate) fn wire_name(name: &str) -> WireName {
    WireName::new(name).unwrap()
}

pub(crate) fn wire_identifier(identifier: &Identifier) -> WireIdentifier {
    match identifier {
        Identifier::Numeric(number) => WireIdentifier::numeric(*number),
        Identifier::Named(name) => WireIdentifier::named(name.clone()).unwrap(),
    }
}

/// A share that no two machines write differently.
pub(crate) fn finite() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(|bits| f32::from_bits(bits & 0x7f7f_ffff))
}
