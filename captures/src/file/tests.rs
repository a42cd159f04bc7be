use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::primitives::PollingKind;
use parallax_codec::{Direction, ErrorCode, code};

use super::*;
use crate::connection::{Connection, ConnectionId, Dialect};
use crate::decoding::{AnyFrame, decode};
use crate::exchange::{Content, Exchange, Times};
use crate::finding::FindingCode;
use crate::import::ImportError;
use crate::limits::{CAPTURE_RECORD, CAPTURE_STREAMS};
use crate::poll::{PollAnswer, PolledMessage, UserHeaders};
use crate::verdict::{
    AskedAgain, AskedBy, AskedTimes, Difference, HttpRefusal, MirrorAnswer, MirrorOutcome,
    StoredOffset, TcpAnswer, TcpOutcome, Verdict, VerdictKind,
};

fn second(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn connection(id: u64) -> Connection {
    let client = "10.0.0.7:40000".parse().unwrap();
    let server = "10.0.0.1:8090".parse().unwrap();
    Connection::opened(ConnectionId(id), client, server, second(1))
}

fn exchange(n: u64, request: &Bytes, reply: &Bytes) -> Exchange {
    let frame = |direction, bytes| AnyFrame::kept(Dialect::Classic, direction, bytes).unwrap();
    let asked = frame(Direction::ToServer, request);
    let answer = frame(Direction::ToClient, reply);
    Exchange {
        n,
        conn: ConnectionId(1),
        dialect: Dialect::Classic,
        times: Times {
            request_first: second(2),
            request_last: second(3),
            reply: Some((second(4), second(5))),
        },
        content: Content::Binary(decode(&asked, Some(&answer), None).content),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: crate::Annotation::default(),
        altered: None,
    }
}

fn ping(n: u64) -> Exchange {
    exchange(n, &encode_request(code::PING, &[]), &encode_reply(0, &[]))
}

fn written(exchanges: &[Exchange]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file, About::default()).unwrap();
    writer.connection(&connection(1), second(1)).unwrap();
    for exchange in exchanges {
        writer.exchange(exchange).unwrap();
    }
    file
}

fn read(file: &[u8]) -> (Vec<Exchange>, Option<ImportError>, u64) {
    let mut reader = Reader::new(file);
    let mut exchanges = Vec::new();
    let mut damage = None;
    for item in reader.by_ref() {
        match item {
            Ok(Item::Exchange(exchange, _)) => exchanges.push(*exchange),
            Ok(Item::Unreadable(at, why)) => panic!("byte {at}: {why}"),
            Ok(_) => {}
            Err(error) => damage = Some(error),
        }
    }
    let end = reader.position();
    (exchanges, damage, end)
}

fn message(offset: u64, payload: Vec<u8>) -> PolledMessage {
    PolledMessage {
        offset,
        id: u128::MAX - u128::from(offset),
        timestamp: u64::MAX,
        origin_timestamp: 1,
        checksum: 1 << 60,
        payload: payload.into(),
        payload_left_out: 7,
        user_headers: UserHeaders::Opaque(Bytes::from_static(b"\x00no headers")),
    }
}

fn asked_times(at: i64) -> AskedTimes {
    AskedTimes::after(second(at), Duration::from_millis(7))
}

/// A verdict with one of everything.
fn verdict(payload: Vec<u8>) -> Verdict {
    let body = PollAnswer {
        partition_id: 2,
        current_offset: u64::MAX,
        count: 1,
        messages: vec![message(4, payload)],
    };
    let answer = |outcome| MirrorAnswer {
        asked_by: AskedBy::Mirror,
        partition_id: Some(2),
        target: "/streams/a%20b/topics/1/messages".to_owned(),
        latency: Some(Duration::from_nanos(1_234_567)),
        times: Some(asked_times(3)),
        outcome,
    };
    let tcp = |outcome| TcpAnswer {
        partition_id: 2,
        strategy: PollingKind::Timestamp,
        value: u64::MAX,
        latency: Duration::from_micros(9),
        times: Some(asked_times(4)),
        outcome,
    };
    let refusal = HttpRefusal {
        http_status: 400,
        code: Some(ErrorCode(4100)),
        reason: "Invalid offset: 24\r\n".to_owned(),
    };
    let difference = Difference {
        field: "messages[0].payload".to_owned(),
        tcp: "\u{1f980}".to_owned(),
        http: String::new(),
    };
    Verdict {
        kind: VerdictKind::Diverge,
        reason: "They differ.".to_owned(),
        basis: "The same question.".to_owned(),
        differences: vec![difference.clone()],
        answers: vec![
            answer(MirrorOutcome::Answered(body.clone())),
            answer(MirrorOutcome::Refused(refusal)),
            answer(MirrorOutcome::Failed("timed out".to_owned())),
        ],
        asked_again: Some(Box::new(AskedAgain {
            kind: VerdictKind::Stale,
            reason: "One is behind.".to_owned(),
            differences: vec![difference],
            tcp_before: vec![tcp(TcpOutcome::Answered(body))],
            answers: vec![
                answer(MirrorOutcome::Stored(None)),
                answer(MirrorOutcome::Stored(Some(StoredOffset {
                    partition_id: 1,
                    current_offset: 2,
                    stored_offset: u64::MAX,
                }))),
            ],
            tcp_after: vec![tcp(TcpOutcome::Refused(ErrorCode(3021)))],
        })),
        known: vec![&crate::known::COUNT_OF_ZERO],
        muted: Some("line 3".into()),
    }
}

#[test]
fn a_file_torn_at_any_byte_keeps_what_was_whole() {
    let file = written(&[ping(1), ping(2), ping(3)]);
    let mut whole = vec![0];
    let mut at = 0;
    while at < file.len() {
        let length = u32::from_le_bytes(file[at + 4..at + 8].try_into().unwrap());
        at += usize::try_from(length).unwrap();
        whole.push(at);
    }
    let mut most = 0;
    for cut in 0..file.len() {
        let (exchanges, damage, end) = read(&file[..cut]);
        let last_whole = *whole.iter().rfind(|end| **end <= cut).unwrap();
        assert_eq!(end, last_whole as u64, "cut at {cut}");
        let is_torn =
            matches!(damage, Some(ImportError::Truncated { position, .. }) if position == end);
        assert_eq!(is_torn, last_whole < cut, "cut at {cut}: {damage:?}");
        assert!(exchanges.len() >= most, "cut at {cut}");
        most = exchanges.len();
    }
    assert_eq!(read(&file).0.len(), 3);
}

#[test]
fn a_verdict_is_read_back_whole() {
    let mut was = ping(1);
    was.verdict = Some(verdict(b"payload".to_vec()));
    was.findings = vec![FindingCode(102), FindingCode(105)];
    was.muted_findings = vec![FindingCode(501)];
    let (is, damage, _) = read(&written(std::slice::from_ref(&was)));
    assert!(damage.is_none(), "{damage:?}");
    assert_eq!(format!("{:?}", is[0]), format!("{was:?}"));
}

/// Nanoseconds since 1970 of the packets on the mirror's interface.
fn mirror_packets(file: &[u8]) -> Vec<u64> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let (mut at, mut times) = (0, Vec::new());
    while at < file.len() {
        // Block type 6: an enhanced packet; its interface and time follow.
        if (word(at), word(at + 8)) == (6, writer::MIRROR) {
            times.push(u64::from(word(at + 12)) << 32 | u64::from(word(at + 16)));
        }
        at += usize::try_from(word(at + 4)).unwrap();
    }
    times
}

#[test]
fn what_the_mirror_asked_has_its_own_times_and_those_of_the_reply_where_they_are_not_known() {
    let mut was = ping(1);
    let mut answered = verdict(Vec::new());
    answered.asked_again = None;
    answered.answers.truncate(1);
    was.verdict = Some(answered.clone());
    let nanoseconds = |at: Timestamp| u64::try_from(at.as_nanosecond()).unwrap();
    let asked_times = asked_times(3);
    assert_eq!(
        mirror_packets(&written(&[was.clone()])),
        [asked_times.asked, asked_times.answered].map(nanoseconds)
    );

    answered.answers[0].times = None;
    was.verdict = Some(answered);
    let file = written(&[was.clone()]);
    let reply = second(5);
    assert_eq!(
        mirror_packets(&file),
        [reply, reply + Duration::from_nanos(1_234_567)].map(nanoseconds)
    );
    // As a file of a version that knew no such times.
    let text = String::from_utf8_lossy(&file).into_owned();
    assert!(!text.contains("answered\":{\"asked") && !text.contains("\"times\":{"));
    assert_eq!(format!("{:?}", read(&file).0[0]), format!("{was:?}"));
}

#[test]
fn a_long_record_goes_on_in_further_comments() {
    let mut was = ping(1);
    was.verdict = Some(verdict(vec![7; 300_000]));
    let (is, ..) = read(&written(std::slice::from_ref(&was)));
    assert_eq!(format!("{:?}", is[0]), format!("{was:?}"));
}

#[test]
fn answers_that_are_too_long_for_a_record_are_left_out_and_that_is_said() {
    let mut was = ping(1);
    was.verdict = Some(verdict(vec![7; CAPTURE_RECORD]));
    let (is, damage, _) = read(&written(&[was]));
    assert!(damage.is_none(), "{damage:?}");
    let is = is[0].verdict.as_ref().unwrap();
    assert_eq!((is.kind, is.answers.len()), (VerdictKind::Diverge, 0));
    assert!(
        is.basis.contains("are left out of this file"),
        "{}",
        is.basis
    );
}

#[test]
fn a_long_frame_is_many_packets_and_one_frame_again() {
    let body: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    let was = exchange(1, &encode_request(code::PING, &[]), &encode_reply(3, &body));
    let (is, damage, _) = read(&written(&[was.clone(), ping(2)]));
    assert!(damage.is_none(), "{damage:?}");
    assert_eq!(format!("{:?}", is[0]), format!("{was:?}"));
    assert_eq!(is[1].n, 2);
}

#[test]
fn what_was_not_kept_of_a_frame_is_missing_from_the_stream_and_nothing_else_is() {
    let mut cut = encode_reply(3, &[7; 5_000]).to_vec();
    cut.truncate(100);
    let was = exchange(1, &encode_request(code::PING, &[]), &cut.into());
    let (is, damage, _) = read(&written(&[was.clone(), ping(2)]));
    assert!(damage.is_none(), "{damage:?}");
    assert_eq!(format!("{:?}", is[0]), format!("{was:?}"));
    assert_eq!(is[1].binary().unwrap().reply_frame.len(), 8);
}

#[test]
fn an_exchange_is_read_by_its_place_alone() {
    let file = written(&[ping(1), ping(2), ping(3)]);
    let places = Reader::new(&file[..]).filter_map(|item| match item.unwrap() {
        Item::Exchange(exchange, location) => Some((exchange.n, location)),
        _ => None,
    });
    for (n, Location { offset, length }) in places {
        let (start, end) = (
            usize::try_from(offset).unwrap(),
            usize::try_from(offset + length).unwrap(),
        );
        let mut alone = Reader::at(&file[start..end], offset);
        match alone.next().unwrap().unwrap() {
            Item::Exchange(exchange, again) => {
                assert_eq!((exchange.n, again), (n, Location { offset, length }));
            }
            other => panic!("{other:?}"),
        }
        assert!(alone.next().is_none());
    }
}

#[test]
fn what_becomes_known_later_is_read_after_the_exchange() {
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file, About::default()).unwrap();
    let mut was = ping(1);
    writer.exchange(&was).unwrap();
    was.verdict = Some(verdict(b"late".to_vec()));
    was.findings = vec![FindingCode(105)];
    writer.amend(&was, second(9)).unwrap();
    let mut is = ping(1);
    let amendment = Reader::new(&file[..]).find_map(|item| match item.unwrap() {
        Item::Amended(amendment) => Some(amendment),
        _ => None,
    });
    amendment.unwrap().apply(&mut is).unwrap();
    assert_eq!(format!("{is:?}"), format!("{was:?}"));
}

#[test]
fn ends_of_two_families_are_told_in_the_wider_one() {
    let mut mixed = connection(1);
    mixed.client = "[::1]:40000".parse().unwrap();
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file, About::default()).unwrap();
    writer.connection(&mixed, second(1)).unwrap();
    writer.exchange(&ping(1)).unwrap();
    assert_eq!(read(&file).0.len(), 1);
}

#[test]
fn the_oldest_of_too_many_connections_begins_anew_and_loses_no_exchange() {
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file, About::default()).unwrap();
    let many = u64::try_from(CAPTURE_STREAMS).unwrap() + 2;
    for id in 1..=many {
        let port = u16::try_from(id).unwrap();
        let mut one = connection(id);
        one.client.set_port(port);
        writer.connection(&one, second(1)).unwrap();
    }
    writer.exchange(&ping(1)).unwrap();
    let (is, damage, _) = read(&file);
    assert!(damage.is_none(), "{damage:?}");
    assert_eq!(is.len(), 1);
}

#[test]
fn a_file_of_another_program_is_not_taken_for_a_recording() {
    let file = written(&[ping(1)]);
    assert_eq!(is_recording(&file), Some(true));
    assert_eq!(is_recording(&file[..20]), None);
    assert_eq!(is_recording(b"no capture at all"), Some(false));
    // What another program says of itself in our place.
    let at = file
        .windows(9)
        .position(|part| part == b"parallax ")
        .unwrap();
    let mut copied = file.clone();
    copied[at..at + 9].copy_from_slice(b"Wireshark");
    assert_eq!(is_recording(&copied), Some(true));
    let mark = b"parallax/1 ";
    while let Some(at) = copied.windows(mark.len()).position(|part| part == mark) {
        copied[at] = b'_';
    }
    assert_eq!(is_recording(&copied), Some(false));
}

#[test]
fn a_number_that_no_index_can_hold_is_told_and_what_follows_is_read() {
    let largest = i64::MAX.unsigned_abs();
    let file = written(&[ping(largest + 1), ping(largest)]);
    let mut reader = Reader::new(&file[..]);
    let mut numbers = Vec::new();
    let mut told = Vec::new();
    for item in reader.by_ref() {
        match item.unwrap() {
            Item::Exchange(exchange, _) => numbers.push(exchange.n),
            Item::Unreadable(_, why) => told.push(why),
            _ => {}
        }
    }
    assert_eq!(numbers, [largest]);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].ends_with("larger than any that parallax gives"),
        "{told:?}"
    );
}

#[test]
fn damage_is_told_by_its_place_and_nothing_panics() {
    let file = written(&[ping(1), ping(2)]);
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 0xff;
        let mut reader = Reader::new(&damaged[..]);
        // It ends, whatever it says.
        assert!(reader.by_ref().count() < 20);
    }
}
