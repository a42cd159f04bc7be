use std::net::SocketAddr;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::import::http::{HttpExchange, HttpStream};
use parallax_captures::import::reassembly::{Ending, StreamEvent, StreamEventKind};
use parallax_captures::limits::{MAX_HTTP_BODY, MAX_HTTP_HEAD, MAX_HTTP_WAITING};
use parallax_codec::classic::Direction::{self, ToClient, ToServer};

/// A stream that is told what happens, a millisecond apart.
struct Script {
    stream: HttpStream,
    exchanges: Vec<HttpExchange>,
    clock: i64,
}

impl Script {
    fn new() -> Self {
        let script = Self {
            stream: HttpStream::new(),
            exchanges: Vec::new(),
            clock: 0,
        };
        let ends: SocketAddr = "10.0.0.1:3000".parse().unwrap();
        script.event(StreamEventKind::Opened {
            client: ends,
            server: ends,
            mid_stream: false,
        })
    }

    fn client(self, text: &str) -> Self {
        self.bytes(ToServer, text.as_bytes())
    }

    fn server(self, text: &str) -> Self {
        self.bytes(ToClient, text.as_bytes())
    }

    fn bytes(self, direction: Direction, bytes: &[u8]) -> Self {
        let bytes = Bytes::copy_from_slice(bytes);
        self.event(StreamEventKind::Bytes { direction, bytes })
    }

    fn gap(self, direction: Direction, length: u64) -> Self {
        self.event(StreamEventKind::Gap { direction, length })
    }

    fn closed(self) -> Vec<HttpExchange> {
        let how = Ending::CaptureEnded;
        self.event(StreamEventKind::Closed { how }).exchanges
    }

    fn event(mut self, kind: StreamEventKind) -> Self {
        self.clock += 1;
        let time = Timestamp::from_millisecond(self.clock).unwrap();
        let stream = 0;
        self.exchanges
            .extend(self.stream.push(&StreamEvent { stream, time, kind }));
        self
    }
}

fn body(exchange: &HttpExchange) -> &str {
    std::str::from_utf8(&exchange.response_body.bytes).unwrap()
}

/// Target, status, response body, whether complete.
fn summary(exchanges: &[HttpExchange]) -> Vec<(&str, Option<u16>, &str, bool)> {
    let of = |e: &'_ HttpExchange| (e.status, e.complete);
    exchanges
        .iter()
        .map(|e| (e.target.as_str(), of(e).0, body(e), of(e).1))
        .collect()
}

#[test]
fn requests_sent_ahead_are_answered_in_their_order() {
    let exchanges = Script::new()
        .client("GET /stats HTTP/1.1\r\n\r\nGET /clients HTTP/1.1\r\n\r\n")
        .server("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\noneHTTP/1.1 404 No\r\n")
        .server("Content-Length: 3\r\n\r\ntwo")
        .closed();
    assert_eq!(
        summary(&exchanges),
        [
            ("/stats", Some(200), "one", true),
            ("/clients", Some(404), "two", true)
        ]
    );
}

#[test]
fn a_body_comes_by_length_in_chunks_or_until_the_close() {
    let request = "GET /stats HTTP/1.1\r\n\r\n";
    for (response, closes) in [
        ("content-length: 5\r\n\r\nhello", false),
        (
            "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n",
            false,
        ),
        (
            "transfer-encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\nsum: 1\r\n\r\n",
            false,
        ),
        ("\r\nhello", true),
    ] {
        let script = Script::new()
            .client(request)
            .server(&format!("HTTP/1.1 200 OK\r\n{response}"));
        assert_eq!(script.exchanges.is_empty(), closes);
        let exchanges = script.closed();
        assert_eq!(summary(&exchanges), [("/stats", Some(200), "hello", true)]);
    }
}

#[test]
fn a_response_without_a_body_is_whole_at_its_head() {
    for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304)] {
        let exchanges = Script::new()
            .client(&format!("{method} /stats HTTP/1.1\r\n\r\n"))
            .server(&format!(
                "HTTP/1.1 {status} X\r\ncontent-length: 99\r\n\r\n"
            ))
            .exchanges;
        assert_eq!(summary(&exchanges), [("/stats", Some(status), "", true)]);
    }
}

#[test]
fn an_interim_response_is_not_the_response() {
    let exchanges = Script::new()
        .client("POST /streams HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n")
        .server("HTTP/1.1 100 Continue\r\n\r\n")
        .client("{}")
        .server("HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n")
        .exchanges;
    assert_eq!(summary(&exchanges), [("/streams", Some(201), "", true)]);
    assert_eq!(&exchanges[0].request_body.bytes[..], b"{}");
}

#[test]
fn an_exchange_lasts_from_the_first_byte_of_the_request_to_the_last_of_the_response() {
    let exchanges = Script::new()
        .client("GET /stats HT")
        .client("TP/1.1\r\n\r\n")
        .server("HTTP/1.1 200 OK\r\n")
        .server("content-length: 2\r\n\r\n{")
        .server("}")
        .exchanges;
    let exchange = &exchanges[0];
    // The stream was opened in the first millisecond.
    let at = |millisecond| Timestamp::from_millisecond(millisecond).unwrap();
    assert_eq!(exchange.time, at(2));
    assert_eq!(exchange.request_ended, Some(at(3)));
    assert_eq!(exchange.response_began, Some(at(4)));
    assert_eq!(exchange.response_ended, Some(at(6)));
    assert_eq!(exchange.latency().unwrap().as_millis(), 4);
}

#[test]
fn a_gap_inside_a_body_leaves_it_short_and_the_next_exchange_whole() {
    let exchanges = Script::new()
        .client("GET /stats HTTP/1.1\r\n\r\n")
        .server("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab")
        .gap(ToClient, 8)
        .client("GET /clients HTTP/1.1\r\n\r\n")
        .server("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]")
        .closed();
    assert_eq!(
        summary(&exchanges),
        [
            ("/stats", Some(200), "ab", false),
            ("/clients", Some(200), "[]", true)
        ]
    );
    assert_eq!(exchanges[0].response_body.length, 10);
}

#[test]
fn a_gap_over_the_end_of_a_response_costs_that_exchange_alone() {
    let exchanges = Script::new()
        .client("GET /stats HTTP/1.1\r\n\r\n")
        .server("HTTP/1.1 200 OK\r\ncontent-le")
        .gap(ToClient, 50)
        .server("the rest of some body")
        .client("GET /clients HTTP/1.1\r\n\r\n")
        .server("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]")
        .closed();
    assert_eq!(
        summary(&exchanges),
        [
            ("/stats", None, "", false),
            ("/clients", Some(200), "[]", true)
        ]
    );
}

#[test]
fn a_response_whose_request_was_lost_is_counted_and_the_next_is_paired_rightly() {
    let script = Script::new()
        .gap(ToServer, 80)
        .server("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        .client("GET /clients HTTP/1.1\r\n\r\n")
        .server("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]");
    assert_eq!(script.stream.counts().unpaired_responses, 1);
    let expected = [("/clients", Some(200), "[]", true)];
    assert_eq!(summary(&script.closed()), expected);
}

#[test]
fn what_is_not_http_is_counted_and_gives_no_exchange() {
    let script = Script::new()
        .client("GET nonsense\r\n\r\n")
        .client("more nonsense")
        .server("\u{1}\u{2}");
    assert_eq!(script.stream.counts().passed_over, 13);
    assert!(script.closed().is_empty());
}

#[test]
fn no_password_token_or_authorization_is_kept() {
    let exchanges = Script::new()
        .client("POST /users/login HTTP/1.1\r\ncontent-length: 14\r\n\r\n{\"p\":\"hunter2\"}")
        .server("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n\"s3cr3t..\"")
        .exchanges;
    assert!(exchanges[0].request_body.withheld && exchanges[0].response_body.withheld);
    let exchanges = Script::new()
        .client("GET /streams?token=s3cr3t HTTP/1.1\r\nAuthorization: Bearer s3cr3t\r\n\r\n")
        .server("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]")
        .exchanges;
    assert!(exchanges[0].authorized);
    assert_eq!(exchanges[0].target, "/streams?token=***");
    assert!(!format!("{exchanges:?}").contains("s3cr3t"));
}

#[test]
fn of_a_refused_login_the_reason_is_kept() {
    let exchanges = Script::new()
        .client("POST /users/login HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}")
        .server("HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\n\r\n{\"id\":42}")
        .exchanges;
    assert!(exchanges[0].request_body.withheld);
    assert_eq!(body(&exchanges[0]), "{\"id\":42}");
}

#[test]
fn of_a_body_beyond_the_limit_the_beginning_is_kept_and_the_length() {
    let more = 10;
    let length = MAX_HTTP_BODY + more;
    let exchanges = Script::new()
        .client("GET /stats HTTP/1.1\r\n\r\n")
        .server(&format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n"
        ))
        .bytes(ToClient, &vec![b'x'; MAX_HTTP_BODY - 1])
        .bytes(ToClient, &vec![b'y'; more + 1])
        .exchanges;
    assert_eq!(exchanges[0].response_body.bytes.len(), MAX_HTTP_BODY);
    assert_eq!(exchanges[0].response_body.length, length as u64);
    assert!(exchanges[0].complete);
}

#[test]
fn a_head_beyond_the_limit_is_not_gathered() {
    let long = format!("GET /{}", "x".repeat(MAX_HTTP_HEAD));
    let script = Script::new()
        .client(&long)
        .client("yyy")
        .client("GET /stats HTTP/1.1\r\n\r\n")
        .server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    assert_eq!(script.stream.counts().passed_over, 3);
    assert_eq!(
        summary(&script.exchanges),
        [("/stats", Some(200), "", true)]
    );
}

#[test]
fn of_too_many_waiting_requests_the_oldest_is_given_up_and_the_rest_paired_rightly() {
    let mut script = Script::new();
    for number in 0..=MAX_HTTP_WAITING {
        script = script.client(&format!("GET /streams/{number} HTTP/1.1\r\n\r\n"));
    }
    assert_eq!(script.stream.counts().given_up, 1);
    assert_eq!(
        summary(&script.exchanges),
        [("/streams/0", None, "", false)]
    );
    for answer in ["0", "1"] {
        script = script.server(&format!(
            "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{answer}"
        ));
    }
    assert_eq!(
        summary(&script.exchanges)[1],
        ("/streams/1", Some(200), "1", true)
    );
}
