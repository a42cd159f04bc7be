//! `PX5xx`, beside PX501: what clients do over several exchanges and connections.

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::{ConnectionId, Content, Exchange, Finding};
use parallax_codec::commands::{ClusterMetadata, ClusterNode, SendMessages};
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::Partitioning;
use parallax_codec::primitives::PollingKind::{First, Last, Next, Offset};
use parallax_codec::{Reply, Request};

use super::story::Story;
use super::{NONE, codes, told};
use crate::comparison::sample::{answer, named};
use crate::credentials::TokenMark;
use crate::findings::sample::{answered, exchange};
use crate::findings::{ConnectionEvent, Findings, Happening};
use crate::limits::{COMMIT_INTERVAL, RECONNECTS_WITHIN, SENDS_UNANSWERED};

#[test]
fn px502_the_same_poll_brings_the_same_batch_again_and_again() {
    for strategy in [First, Last, Offset] {
        let mut story = Story::of(Consumer);
        story.auto_commit = false;
        for _ in 0..4 {
            story.poll(strategy, 0, 0..10);
        }
        assert_eq!(codes(story.findings()), NONE, "not often enough");
        let drawn = story.poll(strategy, 0, 0..10).findings();
        assert_eq!(codes(drawn), [502]);
        let text = told(drawn, 502);
        for words in ["offsets 0 to 9 5 times", "since 00:00:01", "1.0 a second"] {
            assert!(text.contains(words), "{words} in {text}");
        }
        assert_eq!(
            (drawn[0].exchanges.as_slice(), drawn[0].count),
            (&[1, 2, 3, 4, 5][..], 5)
        );
        let sixth = story.poll(strategy, 0, 0..10).findings();
        assert_eq!(sixth[1].count, 1, "the journal adds up");
    }
}

#[test]
fn px502_next_brings_the_same_batch_for_longer_than_any_commit_takes() {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    let seconds = COMMIT_INTERVAL.as_secs();
    for _ in 0..seconds {
        story.poll_of(Next, 0, 99, 0..10);
    }
    assert_eq!(codes(story.findings()), NONE, "the commit may still come");
    let drawn = story.poll_of(Next, 0, 99, 0..10).findings();
    assert_eq!(codes(drawn), [502]);
    assert_eq!(drawn[0].count, seconds + 1);
    // At the end of the log what was handled may stay uncommitted until more comes.
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    for _ in 0..3 * seconds {
        story.next(0..10);
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px502_keeps_silent_of_who_gets_on() {
    let mut story = Story::of(Consumer);
    for batch in 0..20 {
        story.next(batch * 10..batch * 10 + 10);
    }
    assert_eq!(codes(story.findings()), NONE, "batches that advance");
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    for _ in 0..6 {
        story.poll(First, 0, 0..10).poll(First, 0, 0..10);
        story.poll(Offset, 10, 10..20);
    }
    assert_eq!(codes(story.findings()), NONE, "it reads on in between");
    let mut story = Story::of(Group);
    for _ in 0..20 {
        story.poll_of(Next, 0, 9, 0..0);
    }
    assert_eq!(codes(story.findings()), NONE, "an idle consumer");
}

#[test]
fn px502_keeps_silent_where_an_offset_is_stored_or_the_log_grows() {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    for end in 0..20 {
        story.poll_of(First, 0, end, 0..end + 1);
    }
    assert_eq!(codes(story.findings()), NONE, "the batch grows");
    // Stored by another connection, as the same consumer.
    let mut story = Story::of(Group);
    story.auto_commit = false;
    for _ in 0..8 {
        story.conn = 1;
        story.poll(First, 0, 0..10);
        story.conn = 2;
        story.store(9, 0);
    }
    assert!(!codes(story.findings()).contains(&502));
    // Two programs that look at the same, each a few times.
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    for conn in 0..12 {
        story.conn = conn % 4;
        story.poll(First, 0, 0..10);
    }
    assert_eq!(codes(story.findings()), NONE);
}

#[test]
fn px502_a_store_that_is_refused_moves_nothing() {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    for _ in 0..5 {
        story.poll(First, 0, 0..10).store(9, 3024);
    }
    assert!(codes(story.findings()).contains(&502));
}

/// What passes on several connections, a step in 100 ms.
struct Traffic {
    findings: Findings,
    milli: i64,
    n: u64,
    drawn: Vec<Finding>,
}

impl Traffic {
    fn new() -> Self {
        Self {
            findings: Findings::new(),
            milli: 0,
            n: 0,
            drawn: Vec::new(),
        }
    }

    fn now(&mut self) -> Timestamp {
        self.milli += 100;
        Timestamp::from_millisecond(self.milli).unwrap()
    }

    fn passes(&mut self, millis: i64) -> &mut Self {
        self.milli += millis;
        self
    }

    fn happens(&mut self, conn: u64, what: Happening) -> &mut Self {
        let (conn, time) = (ConnectionId(conn), self.now());
        let event = ConnectionEvent { conn, time, what };
        self.drawn.extend(self.findings.on_connection(&event));
        self
    }

    /// A client connects to parallax at 127.0.0.1:8190.
    fn opens(&mut self, conn: u64, client: &str) -> &mut Self {
        let client = client.parse().unwrap();
        let reached = "127.0.0.1:8190".parse().unwrap();
        self.happens(conn, Happening::Opened { client, reached })
    }

    fn closes(&mut self, conn: u64) -> &mut Self {
        self.happens(conn, Happening::Closed { by_client: true })
    }

    /// A request; `answer` is its status, if there is a reply.
    fn asks(&mut self, conn: u64, request: &Request, answer: Option<u32>) -> &mut Self {
        let mut exchange = self.exchange(conn, request);
        let Content::Binary(content) = &mut exchange.content else {
            panic!("it is binary");
        };
        content.status = answer;
        if answer.is_none() {
            content.reply_frame = Bytes::new();
            exchange.times.reply = None;
        }
        self.see(&exchange)
    }

    fn sees_cluster(&mut self, conn: u64, nodes: Vec<ClusterNode>) -> &mut Self {
        let mut exchange = self.exchange(conn, &Request::GetClusterMetadata);
        if let Content::Binary(content) = &mut exchange.content {
            content.reply = Some(Reply::ClusterMetadata(ClusterMetadata {
                name: "cluster".to_owned(),
                nodes,
            }));
        }
        self.see(&exchange)
    }

    fn exchange(&mut self, conn: u64, request: &Request) -> Exchange {
        self.n += 1;
        let time = self.now();
        let mut exchange = exchange(self.n, 0, request.clone(), 0);
        exchange.conn = ConnectionId(conn);
        exchange.times.request_first = time;
        exchange.times.request_last = time;
        exchange.times.reply = Some((time, time));
        exchange
    }

    fn see(&mut self, exchange: &Exchange) -> &mut Self {
        self.drawn.extend(self.findings.on_exchange(exchange));
        self
    }

    fn settles(&mut self) -> &mut Self {
        let now = self.now();
        self.drawn.extend(self.findings.settle(now));
        self
    }

    fn found(&self) -> Vec<u16> {
        codes(&self.drawn)
    }
}

const CLIENT: &str = "10.0.0.7:40000";

fn node(ip: &str, tcp_port: u16, role: u8) -> ClusterNode {
    ClusterNode {
        name: format!("node-{tcp_port}"),
        ip: ip.to_owned(),
        tcp_port,
        quic_port: 1,
        http_port: 2,
        websocket_port: 3,
        role,
        status: 0,
    }
}

/// A follower, and a leader at this address.
fn led_to(ip: &str, port: u16) -> Vec<ClusterNode> {
    vec![node("10.0.0.1", 8090, 1), node(ip, port, 0)]
}

#[test]
fn px503_a_client_leaves_for_the_advertised_leader() {
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT).asks(1, &Request::Ping, Some(0));
    traffic.sees_cluster(1, led_to("10.0.0.2", 8090)).closes(1);
    assert_eq!(traffic.found(), [503]);
    let text = told(&traffic.drawn, 503);
    assert!(
        text.contains(
            "leader at 10.0.0.2:8090; the client (10.0.0.7) had connected to 127.0.0.1:8190"
        ),
        "{text}"
    );
    assert_eq!(traffic.drawn[0].exchanges, [2]);
}

#[test]
fn px503_keeps_silent_of_clients_that_stay() {
    let mut leader_is_ill = led_to("10.0.0.2", 8090);
    leader_is_ill[1].status = 3;
    for nodes in [
        // The server alone, which advertises itself, not parallax.
        vec![node("127.0.0.1", 8090, 0)],
        // Parallax is what is advertised.
        led_to("127.0.0.1", 8190),
        led_to("localhost", 8190),
        // Whether that name is parallax's is not known.
        led_to("iggy.example", 8190),
        leader_is_ill,
    ] {
        let mut traffic = Traffic::new();
        traffic.opens(1, CLIENT).sees_cluster(1, nodes).closes(1);
        assert_eq!(traffic.found(), NONE);
    }
    // It is led on, and stays: its SDK does not follow.
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT);
    traffic.sees_cluster(1, led_to("10.0.0.2", 8090));
    traffic.asks(1, &Request::Ping, Some(0)).closes(1);
    assert_eq!(traffic.found(), NONE);
    // It did not leave by itself.
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT);
    traffic.sees_cluster(1, led_to("10.0.0.2", 8090));
    traffic.happens(1, Happening::Closed { by_client: false });
    assert_eq!(traffic.found(), NONE);
}

fn round(traffic: &mut Traffic, conn: u64, nodes: Vec<ClusterNode>) {
    traffic.opens(conn, CLIENT).sees_cluster(conn, nodes);
    traffic.closes(conn);
}

#[test]
fn px504_a_client_that_is_led_on_comes_back_three_times() {
    let mut traffic = Traffic::new();
    for conn in 1..=3 {
        round(&mut traffic, conn, led_to("iggy.example", 8190));
    }
    assert_eq!(traffic.found(), [504]);
    let text = told(&traffic.drawn, 504);
    assert!(text.contains("3 connections of 10.0.0.7"), "{text}");
    assert_eq!(traffic.drawn[0].exchanges, [1, 2, 3]);
    let mut traffic = Traffic::new();
    for conn in 1..=3 {
        round(&mut traffic, conn, led_to("10.0.0.2", 8090));
    }
    assert_eq!(traffic.found(), [503, 503, 503, 504]);
}

#[test]
fn px504_keeps_silent_of_two_rounds_of_health_checks_and_of_clients_that_stay() {
    let unclear = || led_to("iggy.example", 8190);
    let mut traffic = Traffic::new();
    for conn in 1..=2 {
        round(&mut traffic, conn, unclear());
    }
    // It has arrived.
    traffic.opens(3, CLIENT).sees_cluster(3, unclear());
    traffic.asks(3, &Request::Ping, Some(0)).closes(3);
    assert_eq!(traffic.found(), NONE);
    let mut traffic = Traffic::new();
    for conn in 1..=9 {
        round(&mut traffic, conn, unclear());
        traffic.passes(5_000);
    }
    assert_eq!(traffic.found(), NONE, "a check in five seconds");
    let mut traffic = Traffic::new();
    for conn in 1..=9 {
        round(&mut traffic, conn, led_to("127.0.0.1", 8190));
    }
    assert_eq!(traffic.found(), NONE, "nobody is led on");
    // Three clients at once, each led on once.
    let mut traffic = Traffic::new();
    for conn in 1..=3 {
        traffic.opens(conn, CLIENT);
    }
    for conn in 1..=3 {
        traffic.sees_cluster(conn, unclear()).closes(conn);
    }
    assert_eq!(traffic.found(), NONE);
}

/// A send of one message with this id and time of its making.
fn send(id: u128, origin_timestamp: u64) -> Request {
    Request::SendMessages(SendMessages {
        stream: named("otel"),
        topic: named("metrics"),
        partitioning: Partitioning::Balanced,
        layout: MessageLayout::Headers64,
        messages: vec![Message {
            header: MessageHeader {
                id,
                origin_timestamp,
                payload_length: 5,
                ..MessageHeader::default()
            },
            payload: Bytes::from_static(b"hello"),
            user_headers: Bytes::new(),
        }],
    })
}

#[test]
fn px505_the_same_messages_on_a_new_connection_after_the_old_one_died_unanswered() {
    for message in [send(77, 0), send(0, 1_700_000_000_000_000)] {
        let mut traffic = Traffic::new();
        traffic.opens(1, CLIENT).asks(1, &message, None).closes(1);
        traffic.opens(2, CLIENT).asks(2, &message, Some(0));
        assert_eq!(traffic.found(), [505]);
        let text = told(&traffic.drawn, 505);
        assert!(text.contains("sent on connection 1"), "{text}");
        assert_eq!(traffic.drawn[0].exchanges, [1, 2]);
        traffic.asks(2, &message, Some(0));
        assert_eq!(traffic.found(), [505], "told once");
    }
}

#[test]
fn px505_keeps_silent_of_producers_that_send_equal_messages() {
    let message = send(77, 5);
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT);
    for _ in 0..5 {
        traffic.asks(1, &message, Some(0));
    }
    traffic.closes(1).opens(2, CLIENT);
    traffic.asks(2, &message, Some(0));
    assert_eq!(traffic.found(), NONE, "the earlier ones were answered");
    // Nothing tells one message from another with the same payload.
    let plain = send(0, 0);
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT).asks(1, &plain, None).closes(1);
    traffic.opens(2, CLIENT).asks(2, &plain, Some(0));
    assert_eq!(traffic.found(), NONE);
    // Other messages.
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT).asks(1, &message, None).closes(1);
    traffic.opens(2, CLIENT).asks(2, &send(78, 5), Some(0));
    // Refused: nothing was appended.
    traffic.asks(2, &message, Some(40));
    assert_eq!(traffic.found(), NONE);
}

#[test]
fn px505_keeps_silent_while_the_first_connection_is_open_and_where_bytes_were_missed() {
    let message = send(77, 5);
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT).asks(1, &message, None);
    traffic.opens(2, CLIENT).asks(2, &message, Some(0));
    assert_eq!(traffic.found(), NONE);
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT);
    let mut missed = traffic.exchange(1, &message);
    if let Content::Binary(content) = &mut missed.content {
        content.status = None;
    }
    missed.undecoded = Some(parallax_captures::Undecoded {
        why: "100 bytes passed unseen".to_owned(),
        at: 0,
        direction: parallax_codec::Direction::ToClient,
    });
    traffic.see(&missed).closes(1).opens(2, CLIENT);
    traffic.asks(2, &message, Some(0));
    assert_eq!(traffic.found(), NONE);
}

#[test]
fn px505_remembers_no_more_sends_than_its_limit() {
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT);
    for id in 1..=SENDS_UNANSWERED as u128 + 1 {
        traffic.asks(1, &send(id, 5), None);
    }
    assert!(traffic.findings.forgotten() > 0);
}

#[test]
fn px506_one_operation_that_was_told_not_now() {
    let request = send(1, 1);
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT);
    for _ in 0..13 {
        traffic.asks(1, &request, Some(57)).passes(100);
    }
    traffic.asks(1, &request, Some(0));
    assert_eq!(traffic.found(), [506]);
    let text = told(&traffic.drawn, 506);
    assert!(
        text.contains("one send_messages was sent 14 times over 2.600 s")
            && text.contains("57 transient_not_committed 13 times; the last was done"),
        "{text}"
    );
    assert_eq!(traffic.drawn[0].exchanges, [1, 13, 14]);
}

#[test]
fn px506_tells_what_became_of_it() {
    let request = send(1, 1);
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT);
    traffic.asks(1, &request, Some(58));
    traffic.asks(1, &request, Some(2010));
    assert!(told(&traffic.drawn, 506).contains("refused with 2010"));
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT);
    traffic.asks(1, &request, Some(58));
    traffic.asks(1, &request, Some(58)).closes(1);
    assert!(told(&traffic.drawn, 506).contains("then the connection ended"));
}

#[test]
fn px506_keeps_silent_of_what_was_not_retried() {
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT).opens(2, CLIENT);
    // Once, and given up; and something else.
    traffic.asks(1, &send(1, 1), Some(57));
    traffic.asks(1, &send(2, 1), Some(0));
    traffic.asks(2, &send(1, 1), Some(0));
    traffic.closes(1);
    assert_eq!(traffic.found(), NONE);
    let mut traffic = Traffic::new();
    for _ in 0..2 {
        traffic.asks(1, &send(1, 1), Some(40));
    }
    traffic.asks(1, &send(1, 1), Some(0));
    assert_eq!(traffic.found(), NONE, "another error");
}

#[test]
fn px501_waits_until_not_now_has_lasted() {
    let request = send(1, 1);
    let mut traffic = Traffic::new();
    for _ in 0..100 {
        traffic.asks(1, &request, Some(57)).passes(100);
    }
    assert_eq!(traffic.found(), NONE, "20 seconds");
    for _ in 0..60 {
        traffic.asks(1, &request, Some(57)).passes(100);
    }
    assert!(traffic.found().contains(&501), "32 seconds");
    assert_eq!(traffic.drawn[0].exchanges, [1, 2, 3]);
    assert!(traffic.drawn[0].count > 100);
}

/// Logins with this token, each on a connection of its own.
fn logins(traffic: &mut Traffic, token: &str, outcomes: &[bool]) {
    let token = TokenMark::of(token);
    for accepted in outcomes.iter().copied() {
        let conn = traffic.n + 1;
        let status = if accepted { 0 } else { 53 };
        let request = Request::GetMe;
        traffic.opens(conn, CLIENT);
        traffic.asks(conn, &request, Some(status));
        traffic.happens(conn, Happening::TokenTried { token, accepted });
    }
}

#[test]
fn px409_one_token_is_accepted_on_some_connections_and_refused_on_others() {
    for outcomes in [[true, false, false, true], [false, true, true, false]] {
        let mut traffic = Traffic::new();
        logins(&mut traffic, "canary", &outcomes);
        assert_eq!(traffic.found(), [409]);
        let text = told(&traffic.drawn, 409);
        assert!(text.contains("accepted on connection"), "{text}");
        assert_eq!(traffic.drawn[0].exchanges, [1, 2, 3, 4]);
        assert!(!format!("{:?}", traffic.drawn).contains("canary"));
    }
}

#[test]
fn px409_keeps_silent_of_tokens_that_were_made_or_deleted_and_of_two_tokens() {
    for outcomes in [
        &[false, false, true, true][..],
        &[true, true, false, false],
        &[false; 5],
        &[true; 5],
    ] {
        let mut traffic = Traffic::new();
        logins(&mut traffic, "canary", outcomes);
        assert_eq!(traffic.found(), NONE);
    }
    let mut traffic = Traffic::new();
    for _ in 0..4 {
        logins(&mut traffic, "good", &[true]);
        logins(&mut traffic, "bad", &[false]);
    }
    assert_eq!(traffic.found(), NONE);
}

fn waits() -> i64 {
    i64::try_from(RECONNECTS_WITHIN.as_millis()).unwrap()
}

#[test]
fn px507_the_server_closed_on_a_client_that_does_not_come_back() {
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT).asks(1, &Request::Ping, Some(0));
    traffic.happens(1, Happening::ServerEnded { waiting: 1 });
    traffic.opens(2, "10.0.0.8:40000");
    traffic.passes(waits() - 1_000).settles();
    assert_eq!(traffic.found(), NONE, "it may still come");
    traffic.passes(1_000).settles();
    assert_eq!(traffic.found(), [507]);
    let text = told(&traffic.drawn, 507);
    assert!(
        text.contains("connection 1") && text.contains("1 request unanswered"),
        "{text}"
    );
    traffic.passes(waits()).settles();
    assert_eq!(traffic.found(), [507], "told once");
}

#[test]
fn px507_keeps_silent_of_clients_that_come_back_or_waited_for_nothing() {
    let ended = |waiting| Happening::ServerEnded { waiting };
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT).happens(1, ended(1));
    traffic.opens(2, "10.0.0.7:40001");
    // The client closes what the server had ended, late.
    traffic.happens(1, ended(1)).closes(1);
    traffic.passes(waits()).settles();
    assert_eq!(traffic.found(), NONE);
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT).happens(1, ended(0));
    traffic.passes(waits()).settles();
    assert_eq!(traffic.found(), NONE, "nothing was asked");
    let mut traffic = Traffic::new();
    traffic.opens(1, CLIENT).asks(1, &Request::Ping, None);
    traffic.closes(1).passes(waits()).settles();
    assert_eq!(traffic.found(), NONE, "the client ended it");
}

#[test]
fn answers_that_are_polled_on_many_connections_are_no_findings_of_clients() {
    let mut traffic = Traffic::new();
    let mut poll = crate::findings::sample::poll(Consumer, Some(2), First);
    if let Request::PollMessages(poll) = &mut poll {
        poll.auto_commit = false;
    }
    for conn in 1..=20 {
        traffic.opens(conn, CLIENT);
        let exchange = traffic.exchange(conn, &poll);
        traffic.see(&answered(exchange, &answer(2, 9, 0..10)));
        traffic.closes(conn);
    }
    assert_eq!(traffic.found(), NONE);
}
