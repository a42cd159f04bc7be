//! Every frame of every recording of the binary protocol: decoded to its last
//! byte, and the same however its bytes arrive.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use bytes::Bytes;
use parallax_captures::import::reassembly::StreamEventKind;
use parallax_codec::commands::PolledMessages;
use parallax_codec::messages::MessageLayout;
use parallax_codec::recognise::{Protocol, recognise};
use parallax_codec::vsr::{
    Command, EvictionHeader, EvictionReason, HEADER_SIZE, ProtocolVersion, ReplyHeader,
    RequestHeader, ResultSection, Status, StatusLayout,
};
use parallax_codec::{
    Body, Checksum, Dialect, Direction, Encode, Field, Reply, Request, Value, classic, code,
    fields_of, vsr,
};

use super::support::{events, recordings};

/// What went each way on one connection.
struct Talk {
    path: String,
    to_server: Bytes,
    to_client: Bytes,
}

impl Talk {
    fn dialect(&self) -> Option<Dialect> {
        match recognise(&self.to_server)? {
            Protocol::Classic => Some(Dialect::Classic),
            Protocol::Vsr => Some(Dialect::Vsr),
            _ => None,
        }
    }
}

fn talks() -> Vec<Talk> {
    recordings()
        .iter()
        .flat_map(|path| talks_of(path))
        .collect()
}

fn talks_of(path: &Path) -> Vec<Talk> {
    let mut talks: BTreeMap<u64, [Vec<u8>; 2]> = BTreeMap::new();
    for event in events(path) {
        if let StreamEventKind::Bytes { direction, bytes } = event.kind {
            let sides = talks.entry(event.stream).or_default();
            sides[usize::from(direction == Direction::ToClient)].extend_from_slice(&bytes);
        }
    }
    let talk = |[to_server, to_client]: [Vec<u8>; 2]| Talk {
        path: path.display().to_string(),
        to_server: to_server.into(),
        to_client: to_client.into(),
    };
    talks.into_values().map(talk).collect()
}

/// `stream` in pieces; `lengths` is used over and over.
fn pieces(stream: &Bytes, lengths: &[usize]) -> Vec<Bytes> {
    let mut rest = stream.clone();
    let mut pieces = Vec::new();
    for length in lengths.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        pieces.push(rest.split_to((*length).min(rest.len())));
    }
    pieces
}

fn vsr_frames(pieces: &[Bytes]) -> Vec<vsr::Frame> {
    let mut framer = vsr::Framer::new();
    let mut frames = Vec::new();
    for piece in pieces {
        framer.push(piece.clone(), &mut frames);
    }
    frames
}

fn classic_frames(direction: Direction, pieces: &[Bytes]) -> Vec<classic::Frame> {
    let mut framer = classic::Framer::new(direction);
    let mut frames = Vec::new();
    for piece in pieces {
        framer.push(piece.clone(), &mut frames);
    }
    frames
}

/// Lengths of pieces: bytes one by one, odd ones, and around both headers.
const CUTS: [&[usize]; 7] = [
    &[1],
    &[3, 5, 7],
    &[255],
    &[256],
    &[257, 1],
    &[13, 241],
    &[8191],
];

#[test]
fn frames_are_the_same_however_their_bytes_arrive() {
    for talk in talks() {
        let Some(dialect) = talk.dialect() else {
            continue;
        };
        let sides = [
            (Direction::ToServer, &talk.to_server),
            (Direction::ToClient, &talk.to_client),
        ];
        for (direction, stream) in sides {
            let whole = [stream.clone()];
            for lengths in CUTS {
                let cut = pieces(stream, lengths);
                match dialect {
                    Dialect::Classic => assert_eq!(
                        classic_frames(direction, &cut),
                        classic_frames(direction, &whole)
                    ),
                    Dialect::Vsr => assert_eq!(vsr_frames(&cut), vsr_frames(&whole)),
                }
            }
        }
    }
}

#[test]
fn every_vsr_frame_cut_anywhere_is_the_same_frame() {
    // Where a frame ends depends on its length alone.
    let mut lengths = std::collections::BTreeSet::new();
    for talk in talks() {
        if talk.dialect() != Some(Dialect::Vsr) || talk.path.contains("skew") {
            continue;
        }
        for stream in [&talk.to_server, &talk.to_client] {
            for frame in vsr_frames(std::slice::from_ref(stream)) {
                let start = usize::try_from(frame.start).unwrap();
                let end = usize::try_from(frame.end()).unwrap();
                let bytes = stream.slice(start..end);
                if !lengths.insert(bytes.len()) {
                    continue;
                }
                let alone = vsr::Frame {
                    start: 0,
                    ..frame.clone()
                };
                for at in 1..bytes.len() {
                    let halves = [bytes.slice(..at), bytes.slice(at..)];
                    assert_eq!(vsr_frames(&halves), std::slice::from_ref(&alone));
                }
            }
        }
    }
}

/// A request with what it asks, and its reply.
struct Pair {
    request: vsr::Frame,
    asked: RequestHeader,
    reply: vsr::Frame,
}

/// Pairs by number and operation, in order; an eviction takes no request.
fn pairs(talk: &Talk) -> (Vec<Pair>, Vec<EvictionHeader>) {
    let mut open: VecDeque<vsr::Frame> = vsr_frames(std::slice::from_ref(&talk.to_server)).into();
    let mut pairs = Vec::new();
    let mut evictions = Vec::new();
    for reply in vsr_frames(std::slice::from_ref(&talk.to_client)) {
        if reply.command() == Command::EVICTION {
            evictions.push(EvictionHeader::of(&reply.header));
            continue;
        }
        assert_eq!(reply.command(), Command::REPLY, "{}", talk.path);
        let answered = ReplyHeader::of(&reply.header);
        let request = open.pop_front().unwrap();
        let asked = RequestHeader::of(&request.header);
        assert!(answered.answers(&asked), "{}: {asked:?}", talk.path);
        pairs.push(Pair {
            request,
            asked,
            reply,
        });
    }
    assert_eq!(open.len(), evictions.len(), "{}", talk.path);
    (pairs, evictions)
}

fn server_talks() -> impl Iterator<Item = Talk> {
    let talks = talks().into_iter();
    talks.filter(|talk| talk.path.contains("server-0.9-edge_sdk") && talk.dialect().is_some())
}

#[test]
fn nothing_that_a_vsr_server_and_client_said_is_left_undecoded() {
    let mut seen = std::collections::BTreeSet::new();
    for talk in server_talks() {
        assert_eq!(talk.dialect(), Some(Dialect::Vsr));
        for pair in pairs(&talk).0 {
            let body = pair.request.body_bytes();
            let code = pair.asked.command_code(&body).unwrap();
            let request = Request::decode(Dialect::Vsr, code, &body);
            let request = request.unwrap_or_else(|error| panic!("{}: {code}: {error}", talk.path));
            assert!(!matches!(request, Request::Other { .. }), "code {code}");
            assert_eq!(request.encode(), body);
            assert_tiles(&request.fields(HEADER_SIZE), HEADER_SIZE, body.len());
            seen.insert(code);
            assert_eq!(pair.asked.encode(), pair.request.header.as_slice());
            let header = fields_of(&pair.asked, 0);
            assert_tiles(&header, 0, HEADER_SIZE);

            let reply = ReplyHeader::of(&pair.reply.header);
            assert_eq!(reply.encode(), pair.reply.header.as_slice());
            assert_tiles(&fields_of(&reply, 0), 0, HEADER_SIZE);
            let body = pair.reply.body_bytes();
            if reply.tail[..4] != [0; 4] {
                assert!(body.is_empty(), "a denial has no body");
                continue;
            }
            let (section, payload) = ResultSection::split(reply.operation, &body).unwrap();
            let skipped = section.as_ref().map_or(0, ResultSection::encoded_length);
            assert_eq!(skipped + payload.len(), body.len());
            let (decoded, fault) = Reply::decode(Dialect::Vsr, code, &payload).unwrap();
            assert_eq!(fault, None, "{}: {code}", talk.path);
            assert!(!matches!(decoded, Reply::Other { .. }), "code {code}");
            assert_eq!(decoded.encode(), payload);
            assert_tiles(&decoded.fields(9), 9, payload.len());
        }
    }
    assert!(seen.len() > 40, "{seen:?}");
}

#[test]
fn nothing_that_a_classic_server_and_client_said_is_left_undecoded() {
    let mut decoded = 0;
    for talk in talks()
        .iter()
        .filter(|talk| talk.dialect() == Some(Dialect::Classic))
    {
        let requests = classic_frames(Direction::ToServer, std::slice::from_ref(&talk.to_server));
        let replies = classic_frames(Direction::ToClient, std::slice::from_ref(&talk.to_client));
        for (request, reply) in requests.iter().zip(&replies) {
            let body = request.body_bytes();
            let asked = Request::decode(Dialect::Classic, request.word, &body).unwrap();
            assert!(!matches!(asked, Request::Other { .. }));
            assert_eq!(asked.encode(), body);
            if reply.word == 0 {
                let body = reply.body_bytes();
                let (answer, fault) = Reply::decode(Dialect::Classic, request.word, &body).unwrap();
                assert_eq!(fault, None);
                assert!(!matches!(answer, Reply::Other { .. }));
                assert_eq!(answer.encode(), body);
            }
            decoded += 1;
        }
    }
    assert!(decoded > 400, "{decoded}");
}

#[test]
fn every_status_is_told_and_stands_at_byte_216() {
    let mut refusals = 0;
    for talk in server_talks() {
        for pair in pairs(&talk).0 {
            let reply = ReplyHeader::of(&pair.reply.header);
            let known = StatusLayout::of_protocol(ProtocolVersion(0x2c00));
            let Status::Told { code, .. } = reply.status(pair.reply.body_length, known) else {
                panic!("{}", talk.path);
            };
            // Without the version, a refusal might be a namespace.
            let alone = reply.status(pair.reply.body_length, None);
            if code == 0 {
                assert_eq!(alone, Status::Told { code, layout: None });
            } else {
                assert_eq!(pair.reply.body_length, 0, "a denial has no body");
                assert_eq!(
                    alone,
                    Status::Ambiguous {
                        at_216: code,
                        at_224: 0
                    }
                );
                refusals += 1;
            }
        }
    }
    assert!(refusals > 5);
}

#[test]
fn every_stamped_request_is_what_its_checksum_says() {
    let mut stamped = 0;
    for talk in server_talks() {
        for pair in pairs(&talk).0 {
            let body = pair.request.body_bytes();
            match pair.asked.verify(&body) {
                Checksum::Absent => assert!(
                    matches!(pair.asked.operation.0, 2 | 160..),
                    "{:?}",
                    pair.asked.operation
                ),
                Checksum::Right => stamped += 1,
                wrong @ Checksum::Wrong { .. } => panic!("{}: {wrong:?}", talk.path),
            }
            let code = pair.asked.command_code(&body).unwrap();
            let anew = RequestHeader {
                client: pair.asked.client,
                request: pair.asked.request,
                session: pair.asked.session,
                ..RequestHeader::new(code, &body)
            };
            assert_eq!(anew, pair.asked, "as the SDK writes it");
        }
    }
    assert!(stamped > 20, "{stamped}");
}

#[test]
fn every_message_is_what_its_checksum_says() {
    let mut checked = [0, 0];
    for talk in server_talks() {
        for pair in pairs(&talk).0 {
            let body = pair.reply.body_bytes();
            if pair.asked.code == code::POLL_MESSAGES && !body.is_empty() {
                checked[0] += check_messages(Dialect::Vsr, &body);
            }
        }
    }
    for talk in talks()
        .iter()
        .filter(|talk| talk.dialect() == Some(Dialect::Classic))
    {
        let requests = classic_frames(Direction::ToServer, std::slice::from_ref(&talk.to_server));
        let replies = classic_frames(Direction::ToClient, std::slice::from_ref(&talk.to_client));
        let sound = !talk.path.contains("broken-segment");
        for (request, reply) in requests.iter().zip(&replies) {
            if request.word == code::POLL_MESSAGES && reply.word == 0 && sound {
                checked[1] += check_messages(Dialect::Classic, &reply.body_bytes());
            }
        }
    }
    assert!(checked.iter().all(|count| *count > 50), "{checked:?}");
}

fn check_messages(dialect: Dialect, body: &Bytes) -> usize {
    let (reply, fault) = PolledMessages::decode_leniently(dialect, body).unwrap();
    assert_eq!(fault, None);
    let layout = &reply.layout;
    match dialect {
        _ if reply.messages.is_empty() => assert_eq!(*layout, MessageLayout::Undetermined),
        Dialect::Classic => assert_eq!(*layout, MessageLayout::Headers64),
        Dialect::Vsr => assert!(matches!(layout, MessageLayout::Batches(_)), "{layout:?}"),
    }
    let sums = layout.verify(&reply.messages);
    assert_eq!(sums.len(), reply.messages.len());
    assert!(sums.iter().all(|sum| *sum == Checksum::Right), "{sums:?}");
    let batches = layout.verify_batches(&reply.messages);
    assert!(
        batches.iter().all(|sum| *sum == Checksum::Right),
        "{batches:?}"
    );
    sums.len()
}

#[test]
fn both_logins_and_the_refused_one_are_told_apart_with_both_versions() {
    let mut logins = Vec::new();
    let mut evicted = Vec::new();
    for talk in server_talks() {
        let (pairs, evictions) = pairs(&talk);
        evicted.extend(evictions);
        for pair in pairs {
            let body = pair.request.body_bytes();
            let Some(code) = pair.asked.command_code(&body) else {
                panic!("no code")
            };
            let version = match Request::decode(Dialect::Vsr, code, &body).unwrap() {
                Request::LoginRegister(login) => login.version,
                Request::LoginRegisterWithPat(login) => login.version,
                _ => continue,
            };
            logins.push(code);
            assert_eq!(version.protocol.to_string(), "0.11.0");
            assert_eq!(version.sdk_name, "rust-sdk");
            let (_, payload) =
                ResultSection::split(pair.asked.operation, &pair.reply.body_bytes()).unwrap();
            let (Reply::Session(session), _) = Reply::decode(Dialect::Vsr, code, &payload).unwrap()
            else {
                panic!("no session")
            };
            assert_eq!(session.server_version, "0.9.0-edge.5");
            assert_eq!(session.server_protocol_version.to_string(), "0.11.0");
        }
    }
    assert!(logins.contains(&code::LOGIN_REGISTER));
    assert!(logins.contains(&code::LOGIN_REGISTER_WITH_PAT));
    let [eviction] = evicted.as_slice() else {
        panic!("{evicted:?}")
    };
    assert_eq!(eviction.reason, EvictionReason::INVALID_CREDENTIALS);
    assert_eq!(eviction.accepted_versions(), None);
}

#[test]
fn a_vsr_login_read_by_a_classic_server_is_a_vsr_login_and_its_answers_are_classic() {
    let skew: Vec<Talk> = talks()
        .into_iter()
        .filter(|talk| talk.path.contains("skew"))
        .collect();
    assert!(!skew.is_empty());
    for talk in skew {
        assert_eq!(talk.dialect(), Some(Dialect::Vsr));
        let frames = vsr_frames(std::slice::from_ref(&talk.to_server));
        let [login] = frames.as_slice() else {
            panic!("{frames:?}")
        };
        let header = RequestHeader::of(&login.header);
        assert_eq!(
            header.command_code(&login.body_bytes()),
            Some(code::LOGIN_REGISTER)
        );
        // The client waits for 256 bytes; what came is dozens of refusals.
        let replies = classic_frames(Direction::ToClient, std::slice::from_ref(&talk.to_client));
        assert!(replies.len() > 1, "{}", replies.len());
        assert!(
            replies
                .iter()
                .all(|reply| reply.word == 3 && reply.body_length == 0)
        );
        assert!(matches!(replies[0].body, Body::Whole(_)));
    }
}

/// The leaves fill `length` bytes from `start` on without gap or overlap.
fn assert_tiles(fields: &[Field], start: usize, length: usize) {
    let mut at = start;
    for field in fields {
        assert_eq!(field.range.start, at, "{} begins elsewhere", field.name);
        if let Value::Group(inner) | Value::List(inner) = &field.value {
            assert_tiles(inner, at, field.range.len());
        }
        at = field.range.end;
    }
    assert_eq!(at, start + length, "the fields end elsewhere");
}
