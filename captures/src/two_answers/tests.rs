use bytes::Bytes;
use parallax_codec::ErrorCode;
use parallax_codec::messages::{HeaderField, HeaderKind, UserHeader};

use super::*;
use crate::limits::DIFFERENCE_QUOTED_BYTES;
use crate::poll::UserHeaders;
use crate::verdict::{AskedBy, HttpRefusal};

fn message(offset: u64) -> PolledMessage {
    PolledMessage {
        offset,
        id: u128::MAX - u128::from(offset),
        timestamp: 5,
        origin_timestamp: 4,
        checksum: 3,
        payload: Bytes::from(format!("payload {offset}")),
        payload_left_out: 0,
        user_headers: UserHeaders::Decoded(Vec::new()),
    }
}

fn answer(offsets: impl Iterator<Item = u64>) -> PollAnswer {
    let messages: Vec<_> = offsets.map(message).collect();
    PollAnswer {
        partition_id: 1,
        current_offset: 26,
        count: u32::try_from(messages.len()).unwrap(),
        messages,
    }
}

fn http(outcome: MirrorOutcome) -> MirrorAnswer {
    MirrorAnswer {
        asked_by: AskedBy::Mirror,
        partition_id: Some(1),
        target: String::new(),
        latency: None,
        times: None,
        outcome,
    }
}

fn beside(tcp: PollAnswer, other: PollAnswer) -> TwoAnswers {
    let http = http(MirrorOutcome::Answered(other));
    TwoAnswers::of(&TcpOutcome::Answered(tcp), 10, &http).unwrap()
}

fn invalid_offset() -> MirrorAnswer {
    http(MirrorOutcome::Refused(HttpRefusal {
        http_status: 400,
        code: Some(ErrorCode(4100)),
        reason: "Invalid offset: 24".to_owned(),
    }))
}

#[test]
fn equal_messages_are_one_run_and_a_missing_one_is_a_gap_at_its_offset() {
    let two = beside(answer(0..6), answer([0, 1, 2, 4, 5, 6].into_iter()));
    assert_eq!(
        two.messages,
        [
            Aligned::Equal(0..3),
            Aligned::OnlyTcp(3..4),
            Aligned::Equal(4..6),
            Aligned::OnlyHttp(5..6),
        ]
    );
    let words = "all 4 fields equal, 1 message only on TCP, 1 message only over HTTP, 5 messages \
                 equal";
    assert_eq!(two.counted().words(), words);
}

#[test]
fn a_hole_that_both_have_parts_two_runs() {
    let offsets = [0, 1, 7, 8];
    let two = beside(answer(offsets.into_iter()), answer(offsets.into_iter()));
    assert_eq!(two.messages, [Aligned::Equal(0..2), Aligned::Equal(2..4)]);
}

#[test]
fn an_offset_that_one_side_gives_twice_is_a_message_of_its_own() {
    let two = beside(answer([3, 3, 4].into_iter()), answer(3..5));
    assert_eq!(
        two.messages,
        [
            Aligned::Equal(0..1),
            Aligned::OnlyTcp(1..2),
            Aligned::Equal(2..3)
        ]
    );
}

#[test]
fn of_a_payload_that_differs_the_first_byte_and_both_renderings_are_told() {
    let mut other = answer(0..2);
    other.current_offset = 28;
    other.messages[1].payload = Bytes::from_static(b"payloaD 1 and more");
    let two = beside(answer(0..2), other);
    let Aligned::Differs {
        offset: 1, fields, ..
    } = &two.messages[1]
    else {
        panic!("{two:?}");
    };
    let differs: Vec<_> = fields.iter().filter(|field| !field.equal).collect();
    assert_eq!((differs.len(), differs[0].name), (1, "payload"));
    let bytes = differs[0].bytes.as_ref().unwrap();
    assert_eq!(bytes.at, 6);
    assert_eq!(
        (&bytes.tcp[..], &bytes.http[..]),
        (&b"payload 1"[..], &b"payloaD 1 and more"[..])
    );
    let words = "1 of 4 fields differs, 1 message differs, 1 message equal";
    assert_eq!(two.counted().words(), words);
}

#[test]
fn one_that_is_the_others_beginning_differs_where_it_ends() {
    assert_eq!(first_difference(b"same", b"same"), None);
    assert_eq!(first_difference(b"sam", b"same").unwrap().at, 3);
    let (long, longer) = (vec![7; 5_000], vec![7; 5_001]);
    let bytes = first_difference(&long, &longer).unwrap();
    assert_eq!(bytes.at, 5_000);
    assert!(bytes.tcp.len() < bytes.http.len() && bytes.http.len() <= DIFFERENCE_QUOTED_BYTES);
}

#[test]
fn a_payload_of_which_the_beginning_was_kept_is_compared_as_far_as_it_goes() {
    let mut other = answer(0..1);
    other.messages[0].payload_left_out = 2;
    other.messages[0].payload.truncate(7);
    let two = beside(answer(0..1), other);
    assert_eq!(two.messages, [Aligned::Equal(0..1)]);
}

#[test]
fn the_same_error_is_equal_and_the_number_that_only_http_tells_is_no_difference() {
    let refused = TcpOutcome::Refused(ErrorCode(4100));
    let two = TwoAnswers::of(&refused, 10, &invalid_offset()).unwrap();
    let status = &two.fields[0];
    assert!(status.equal, "{status:?}");
    let text = two
        .fields
        .iter()
        .find(|field| field.name == "error text")
        .unwrap();
    assert_eq!(
        (text.tcp.as_deref(), text.http.as_deref()),
        (None, Some("Invalid offset: 24"))
    );
    assert!(!text.comparable);
    assert_eq!(two.counted().words(), "the 1 field that both tell is equal");
    assert!(TwoAnswers::of(&refused, 10, &http(MirrorOutcome::Failed(String::new()))).is_none());
}

#[test]
fn an_error_against_an_answer_differs_in_its_status_alone() {
    let refused = TcpOutcome::Refused(ErrorCode(4100));
    let answered = http(MirrorOutcome::Answered(answer(0..2)));
    let two = TwoAnswers::of(&refused, 10, &answered).unwrap();
    let words = "1 of 1 field differs, 2 messages only over HTTP";
    assert_eq!(two.counted().words(), words);
    // What only the answer has is shown.
    let count = two.fields.iter().find(|field| field.name == "count");
    let count = count.map(|field| (field.tcp.as_deref(), field.http.as_deref()));
    assert_eq!(count, Some((None, Some("2"))));
}

#[test]
fn what_one_side_was_not_asked_for_is_no_difference() {
    let mut asked_for_two = http(MirrorOutcome::Answered(answer(0..2)));
    asked_for_two.target = "/streams/1/topics/2/messages?kind=first&count=2".to_owned();
    let tcp = TcpOutcome::Answered(answer(0..4));
    let two = TwoAnswers::of(&tcp, 4, &asked_for_two).unwrap();
    assert_eq!(
        two.messages,
        [Aligned::Equal(0..2), Aligned::NotAsked(Side::Tcp, 2..4)]
    );
    let words = "all 3 fields equal, 2 messages asked of one side only, 2 messages equal";
    assert_eq!(two.counted().words(), words);
    // Asked for as many, it lacks them.
    let two = TwoAnswers::of(&tcp, 2, &asked_for_two).unwrap();
    assert_eq!(two.messages[1], Aligned::OnlyTcp(2..4));
}

fn header(value: &str) -> UserHeaders {
    let field = |text: &str| HeaderField {
        kind: HeaderKind::STRING,
        bytes: text.as_bytes().to_vec(),
    };
    UserHeaders::Decoded(vec![UserHeader {
        key: field("trace"),
        value: field(value),
    }])
}

#[test]
fn of_headers_that_differ_the_place_is_told_too() {
    let (mut tcp, mut other) = (answer(0..1), answer(0..1));
    tcp.messages[0].user_headers = header("abc");
    other.messages[0].user_headers = header("abd");
    let two = beside(tcp, other);
    let Aligned::Differs { fields, .. } = &two.messages[0] else {
        panic!("{two:?}");
    };
    let headers = fields.iter().find(|field| !field.equal).unwrap();
    assert_eq!(headers.name, "user_headers");
    // trace=ab|c (string)
    assert_eq!(headers.bytes.as_ref().unwrap().at, 8);
}
