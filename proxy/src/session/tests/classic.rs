//! The classic dialect.

use bytes::{Bytes, BytesMut};
use parallax_codec::classic::{Direction, encode_reply, encode_request};
use parallax_codec::commands::{
    LoginUser, LoginWithPersonalAccessToken, PollMessages, PolledMessages,
};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PollingKind, PollingStrategy, Secret,
};
use parallax_codec::{Encode as _, Reply, Request, code};

use super::script::{Script, at};
use crate::credentials::{Credentials, TokenMark};
use crate::limits::{CUT_REQUEST_BYTES, OPEN_REQUEST_BYTES, OPEN_REQUESTS};
use crate::session::SessionEvent;

use Direction::{ToClient, ToServer};

fn request(request: &Request) -> Bytes {
    encode_request(request.code(), &request.encode())
}

fn ping() -> Bytes {
    request(&Request::Ping)
}

fn ok() -> Bytes {
    encode_reply(0, &[])
}

fn poll() -> Bytes {
    request(&Request::PollMessages(PollMessages {
        partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
        consumer: Consumer {
            kind: ConsumerKind::Group,
            id: Identifier::Named("sink".to_owned()),
        },
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named("metrics".to_owned()),
        partition_id: None,
        strategy: PollingStrategy {
            kind: PollingKind::Next,
            value: 0,
        },
        count: 10,
        auto_commit: true,
    }))
}

fn polled() -> Bytes {
    let reply = Reply::PolledMessages(PolledMessages {
        layout: parallax_codec::messages::MessageLayout::Headers64,
        partition_id: 2,
        current_offset: 26,
        count: 0,
        messages: Vec::new(),
        left_over: Bytes::new(),
    });
    encode_reply(0, &reply.encode())
}

fn login(password: &str) -> Bytes {
    request(&Request::LoginUser(LoginUser {
        username: "iggy".to_owned(),
        password: Secret::new(password),
        version: Some("0.10.0".to_owned()),
        context: None,
    }))
}

fn joined(parts: &[Bytes]) -> Bytes {
    parts.concat().into()
}

fn pair(command: &str, status: u32) -> (String, Option<u32>) {
    (command.to_owned(), Some(status))
}

#[test]
fn replies_answer_requests_in_their_order() {
    let script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, ok())
        .sends(ToServer, poll())
        .sends(ToClient, encode_reply(4100, &[]))
        .sends(ToServer, poll())
        .sends(ToClient, polled());
    assert_eq!(
        script.summary(),
        [
            pair("ping", 0),
            pair("poll_messages", 4100),
            pair("poll_messages", 0)
        ]
    );
    assert_eq!(script.exchanges()[2].poll_answer().unwrap().partition_id, 2);
}

#[test]
fn requests_sent_ahead_wait_for_their_replies() {
    let script = Script::new()
        .sends(ToServer, joined(&[ping(), poll(), ping()]))
        .sends(ToClient, joined(&[ok(), polled(), ok()]));
    let commands: Vec<_> = script.summary().into_iter().map(|(c, _)| c).collect();
    assert_eq!(commands, ["ping", "poll_messages", "ping"]);
}

#[test]
fn any_split_of_the_bytes_gives_the_same_exchanges() {
    let to_server = joined(&[login("secret"), poll(), ping()]);
    let to_client = joined(&[encode_reply(0, &[0; 4]), polled(), ok()]);
    let whole = Script::new()
        .sends(ToServer, to_server.clone())
        .sends(ToClient, to_client.clone())
        .summary();
    for size in [1, 2, 3, 7, 8, 9, 31] {
        let mut script = Script::new();
        for piece in to_server.chunks(size) {
            script = script.sends(ToServer, Bytes::copy_from_slice(piece));
        }
        for piece in to_client.chunks(size) {
            script = script.sends(ToClient, Bytes::copy_from_slice(piece));
        }
        assert_eq!(script.summary(), whole, "in pieces of {size}");
    }
}

#[test]
fn times_are_those_of_the_first_and_last_byte() {
    let (header, body) = polled().split_at_checked(8).map(own).unwrap();
    let script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, ok())
        .sends(ToServer, poll())
        .sends(ToClient, header)
        .sends(ToClient, body);
    let times = script.exchanges()[1].times;
    assert_eq!(times.request_first, at(3));
    assert_eq!(times.reply, Some((at(4), at(5))));
}

fn own((left, right): (&[u8], &[u8])) -> (Bytes, Bytes) {
    (Bytes::copy_from_slice(left), Bytes::copy_from_slice(right))
}

#[test]
fn a_password_is_kept_in_the_login_event_and_nowhere_else() {
    let script = Script::new()
        .sends(ToServer, login("canary-secret"))
        .sends(ToClient, encode_reply(0, &[7, 0, 0, 0]));
    let exchange = format!("{:?}", script.exchanges()[0]);
    assert!(!exchange.contains("canary"), "{exchange}");
    let frame = &script.exchanges()[0].binary().unwrap().request_frame;
    assert_eq!(frame.len(), login("canary-secret").len(), "same length");
    let logged_in = script.events.iter().find_map(|event| match event {
        SessionEvent::LoggedIn {
            user, credentials, ..
        } => Some((user.clone(), credentials.clone())),
        _ => None,
    });
    let password = "canary-secret".to_owned();
    let username = "iggy".to_owned();
    assert_eq!(
        logged_in,
        Some((
            Some(username.clone()),
            Credentials::Password { username, password }
        ))
    );
    assert!(!format!("{:?}", script.events).contains("canary"));
}

#[test]
fn a_password_is_masked_where_the_login_cannot_be_decoded() {
    let mut broken = BytesMut::from(&login("canary-secret")[8..]);
    broken.truncate(broken.len() - 3);
    let script = Script::new()
        .sends(ToServer, encode_request(code::LOGIN_USER, &broken))
        .sends(ToClient, encode_reply(3, &[]));
    assert!(script.exchanges()[0].undecoded.is_some());
    assert!(!format!("{:?}", script.events).contains("canary"));
    let frame = script.exchanges()[0]
        .binary()
        .unwrap()
        .request_frame
        .clone();
    assert!(!frame.windows(6).any(|window| window == b"canary"));
}

#[test]
fn a_refused_login_is_no_login() {
    let script = Script::new()
        .sends(ToServer, login("wrong"))
        .sends(ToClient, encode_reply(42, &[]));
    let logged_in = |event: &SessionEvent| matches!(event, SessionEvent::LoggedIn { .. });
    assert!(!script.events.iter().any(logged_in));
}

#[test]
fn what_came_of_a_token_is_told_without_the_token() {
    let with_token = |token: &str| {
        let token = Secret::new(token);
        request(&Request::LoginWithPersonalAccessToken(
            LoginWithPersonalAccessToken { token },
        ))
    };
    let script = Script::new()
        .sends(ToServer, with_token("canary-one"))
        .sends(ToClient, encode_reply(53, &[]))
        .sends(ToServer, with_token("canary-one"))
        .sends(ToClient, encode_reply(0, &[7, 0, 0, 0]))
        .sends(ToServer, with_token("canary-two"))
        // Not logged in for another reason.
        .sends(ToClient, encode_reply(54, &[]))
        .sends(ToServer, login("wrong"))
        .sends(ToClient, encode_reply(42, &[]));
    let tried = script.events.iter().filter_map(|event| match event {
        SessionEvent::TokenTried {
            time,
            token,
            accepted,
        } => Some((*time, *token, *accepted)),
        _ => None,
    });
    let mark = TokenMark::of("canary-one");
    assert_eq!(
        tried.collect::<Vec<_>>(),
        [(at(1), mark, false), (at(3), mark, true)]
    );
    assert_ne!(mark, TokenMark::of("canary-two"));
    assert!(!format!("{:?}", script.events).contains("canary"));
}

#[test]
fn a_body_that_cannot_be_decoded_is_named_and_the_next_exchange_is_whole() {
    let script = Script::new()
        .sends(ToServer, encode_request(code::POLL_MESSAGES, &[9, 9, 9]))
        .sends(ToClient, encode_reply(3, &[]))
        .sends(ToServer, poll())
        .sends(ToClient, polled());
    assert_eq!(
        script.summary(),
        [pair("poll_messages", 3), pair("poll_messages", 0)]
    );
    let why = script.exchanges()[0]
        .undecoded
        .as_ref()
        .unwrap()
        .to_string();
    assert!(why.contains("consumer kind is of no known kind"), "{why}");
    assert!(script.exchanges()[1].undecoded.is_none());
    assert!(script.undecoded().is_none(), "the connection goes on");
}

#[test]
fn a_body_longer_than_is_gathered_is_passed_over_and_its_exchange_says_so() {
    let asked = poll();
    let most = asked.len() - 8;
    let talk = |script: Script| {
        script
            .sends(ToServer, asked.slice(..12))
            .sends(ToServer, asked.slice(12..))
            .sends(ToClient, polled())
            .sends(ToServer, ping())
            .sends(ToClient, ok())
    };
    for (script, is_read) in [
        (talk(Script::gathering(most)), true),
        (talk(Script::gathering(most - 1)), false),
    ] {
        assert_eq!(
            script.summary(),
            [pair("poll_messages", 0), pair("ping", 0)]
        );
        let undecoded = script.exchanges()[0].undecoded.as_ref();
        assert_eq!(undecoded.is_none(), is_read, "{undecoded:?}");
        assert!(script.exchanges()[1].undecoded.is_none());
    }
}

#[test]
fn an_unknown_command_is_an_exchange_with_its_number() {
    let script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, ok())
        .sends(ToServer, encode_request(9999, b"body"))
        .sends(ToClient, encode_reply(3, &[]));
    assert_eq!(script.summary()[1], pair("unknown_9999", 3));
}

#[test]
fn a_request_without_a_reply_is_told_when_the_connection_ends() {
    let script = Script::new().sends(ToServer, poll());
    assert_eq!(script.session.waiting(), Some((1, at(1))));
    let script = script.closes();
    assert_eq!(script.summary(), [("poll_messages".to_owned(), None)]);
}

#[test]
fn a_frame_cut_by_the_connections_end_is_told_with_its_place() {
    let cut = poll().slice(..20);
    let script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, ok())
        .sends(ToServer, cut)
        .closes();
    let why = script.undecoded().unwrap();
    assert!(why.contains("ended after 20 of a frame's"), "{why}");
    assert!(why.contains("byte 8 from the client"), "{why}");
}

#[test]
fn a_reply_that_comes_before_its_request_is_whole_is_told_as_that() {
    let script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, ok())
        .sends(ToServer, poll().slice(..20))
        .sends(ToClient, encode_reply(3, &[]));
    let why = script.undecoded().unwrap();
    let whole = poll().len();
    assert!(
        why.contains(&format!("20 of a request's {whole} bytes")),
        "{why}"
    );
}

#[test]
fn a_capture_begun_mid_stream_finds_its_feet_at_the_next_request() {
    let rest_of_a_reply = vec![0x55; 300];
    let script = Script::mid_stream()
        .sends(ToClient, rest_of_a_reply)
        .sends(ToServer, vec![7; 5])
        .sends(ToServer, poll())
        .sends(ToClient, polled());
    assert_eq!(script.summary(), [pair("poll_messages", 0)]);
    assert!(script.undecoded().is_none());
}

#[test]
fn after_lost_bytes_the_open_request_has_no_reply_and_the_next_pair_is_whole() {
    let script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, ok())
        .sends(ToServer, poll())
        .loses(ToClient, 500)
        .sends(ToServer, ping())
        .sends(ToClient, ok());
    assert_eq!(
        script.summary(),
        [
            pair("ping", 0),
            ("poll_messages".to_owned(), None),
            pair("ping", 0)
        ]
    );
    let why = script.exchanges()[1]
        .undecoded
        .as_ref()
        .unwrap()
        .to_string();
    assert!(why.contains("500 bytes passed unseen"), "{why}");
}

#[test]
fn a_lost_request_does_not_shift_the_replies() {
    let script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, ok())
        .loses(ToServer, 60)
        .sends(ToClient, polled())
        .sends(ToServer, ping())
        .sends(ToClient, ok());
    assert_eq!(script.summary(), [pair("ping", 0), pair("ping", 0)]);
}

#[test]
fn a_reply_without_a_request_ends_the_decoding_and_says_so() {
    let script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, joined(&[ok(), ok()]))
        .closes();
    assert_eq!(script.summary(), [pair("ping", 0)]);
    assert!(script.undecoded().unwrap().contains("no request"));
}

#[test]
fn a_client_that_speaks_something_else_is_named() {
    let cases: [(&[u8], &str); 4] = [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "TLS"),
        (b"GET /stats HTTP/1.1\r\n\r\n", "HTTP"),
        (b"PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n", "PROXY"),
        (b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c", "PROXY"),
    ];
    for (bytes, named) in cases {
        let script = Script::new().sends(ToServer, bytes.to_vec());
        let why = script.undecoded().unwrap_or_default();
        assert!(why.contains(named), "{named} is not in: {why}");
    }
}

#[test]
fn a_server_that_answers_with_an_alert_of_tls_is_named_and_one_that_answers_an_error_is_not() {
    // Fatal, `decode_error`, as rustls answers what is no TLS.
    let alert = b"\x15\x03\x03\x00\x02\x02\x32".to_vec();
    let script = Script::new().sends(ToServer, ping()).sends(ToClient, alert);
    let why = script.undecoded().unwrap_or_default();
    assert!(why.contains("--upstream-tls"), "{why}");
    let error = [[0x15, 0, 0, 0], [0; 4]].concat();
    let script = Script::new().sends(ToServer, ping()).sends(ToClient, error);
    assert_eq!(script.summary(), [pair("ping", 0x15)]);
    assert!(script.undecoded().is_none());
}

#[test]
fn a_length_of_4_gib_is_no_request_and_gathers_nothing() {
    let script = Script::new().sends(ToServer, vec![0xff; 600]);
    assert!(script.undecoded().is_some());
    assert!(script.exchanges().is_empty());
}

#[test]
fn a_length_of_4_gib_in_mid_connection_is_told_at_once_and_again_at_the_end() {
    let header = vec![0xff, 0xff, 0xff, 0xff, 0x64, 0, 0, 0];
    let mut script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, ok())
        .sends(ToServer, header);
    let why = script.undecoded().unwrap();
    assert!(why.contains("announces 4294967299 bytes"), "{why}");
    script.events.clear();
    let script = script.sends(ToServer, vec![0; 1000]);
    assert!(script.undecoded().is_none(), "it is told once");
    let script = script.closes();
    let why = script.undecoded().unwrap();
    assert!(
        why.contains("after 1008 of a frame's 4294967299 bytes"),
        "{why}"
    );
}

#[test]
fn more_open_requests_than_the_limit_end_the_decoding() {
    let mut script = Script::new();
    for _ in 0..=OPEN_REQUESTS {
        script = script.sends(ToServer, ping());
    }
    assert_eq!(script.exchanges().len(), OPEN_REQUESTS);
    assert!(script.undecoded().unwrap().contains("without a reply"));
}

#[test]
fn an_empty_frame_is_answered_with_3_and_stepped_over() {
    let script = Script::new()
        .sends(ToServer, ping())
        .sends(ToClient, ok())
        .sends(ToServer, vec![0; 8])
        .sends(ToClient, encode_reply(3, &[]))
        .sends(ToServer, ping())
        .sends(ToClient, ok());
    assert_eq!(script.summary().len(), 3);
    let why = script.exchanges()[1]
        .undecoded
        .as_ref()
        .unwrap()
        .to_string();
    assert!(why.contains("length 0"), "{why}");
    assert_eq!(script.summary()[2], pair("ping", 0));
}

#[test]
fn bodies_beyond_the_limit_of_what_waits_are_cut_and_still_find_their_reply() {
    const BODY: usize = 16 * 1024 * 1024;
    let send = || encode_request(code::SEND_MESSAGES, &vec![0; BODY]);
    let whole = OPEN_REQUEST_BYTES / BODY;
    let mut script = Script::new().sends(ToServer, ping()).sends(ToClient, ok());
    for _ in 0..whole + 2 {
        script = script.sends(ToServer, send());
    }
    script = script.sends(ToServer, ping());
    for _ in 0..whole + 3 {
        script = script.sends(ToClient, ok());
    }
    // There is room again.
    script = script.sends(ToServer, send()).sends(ToClient, ok());
    let exchanges = script.exchanges();
    assert_eq!(exchanges.len(), whole + 5);
    assert!(exchanges.iter().all(|one| one.status() == Some(0)));
    for (index, exchange) in exchanges.iter().enumerate().skip(1) {
        let is_cut = (whole + 1..whole + 3).contains(&index);
        let why = exchange.undecoded.as_ref().map(ToString::to_string);
        let says = why
            .unwrap_or_default()
            .contains("too many bytes wait for a reply");
        assert_eq!(says, is_cut, "{index}");
        if is_cut {
            let kept = exchange.binary().unwrap().request_frame.len();
            assert_eq!(kept, 8 + CUT_REQUEST_BYTES);
        }
    }
    assert_eq!(exchanges[whole + 3].command(), "ping");
}
