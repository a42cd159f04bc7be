//! What curl printed beside each recording is what was on its wire.

use std::collections::BTreeMap;

use parallax_captures::import::http::{HttpExchange, HttpStream, looks_like_http};
use parallax_captures::import::reassembly::{StreamEvent, StreamEventKind};

use super::support::{events, recorded, recordings, streams};

/// The exchanges of all HTTP streams, in the order of their requests.
pub fn exchanges(events: &[StreamEvent]) -> Vec<HttpExchange> {
    let mut streams: BTreeMap<u64, HttpStream> = BTreeMap::new();
    let mut exchanges = Vec::new();
    for event in events {
        if let StreamEventKind::Opened { server, .. } = event.kind
            && server.port() == 3000
        {
            streams.insert(event.stream, HttpStream::new());
        }
        if let Some(stream) = streams.get_mut(&event.stream) {
            exchanges.extend(stream.push(event));
        }
    }
    for stream in streams.values() {
        assert_eq!(
            stream.counts(),
            parallax_captures::import::http::HttpCounts::default()
        );
    }
    exchanges.sort_by_key(|exchange| exchange.time);
    exchanges
}

#[test]
fn statuses_and_bodies_are_those_that_the_client_printed() {
    for folder in ["http_server-0.8.0", "http_server-0.9-edge"] {
        let printed = std::fs::read_to_string(recorded(folder).join("http.out")).unwrap();
        let exchanges = exchanges(&events(&recorded(folder).join("http.pcap")));
        let mut entries = entries(&printed);
        // Both recordings end before the list does: nothing is compared of what
        // was not recorded, and all that was recorded is.
        let listed = exchanges.iter().filter(|e| e.target != "/users/login");
        let mut compared = 0;
        for exchange in listed {
            let entry = entries.next().unwrap();
            let request = format!("{} {}", exchange.method, exchange.target);
            assert_eq!(request, entry.request, "{folder}");
            assert!(exchange.complete, "{request}");
            entry.compare(exchange);
            compared += 1;
        }
        assert!(compared >= 16, "{folder}: {compared}");
    }
}

#[test]
fn the_login_is_seen_and_neither_password_nor_token_is_kept() {
    for folder in ["http_server-0.8.0", "http_server-0.9-edge"] {
        let exchanges = exchanges(&events(&recorded(folder).join("http.pcap")));
        let login = exchanges
            .iter()
            .find(|e| e.target == "/users/login")
            .unwrap();
        assert_eq!((login.method.as_str(), login.status), ("POST", Some(200)));
        assert!(login.request_body.withheld && login.response_body.withheld);
        assert!(login.request_body.bytes.is_empty() && login.response_body.bytes.is_empty());
        assert!(login.request_body.length > 0 && login.response_body.length > 0);
        assert!(exchanges.iter().any(|exchange| exchange.authorized));
        let shown = format!("{exchanges:?}");
        assert!(!shown.contains("access_token\"") && !shown.contains("Bearer"));
    }
}

#[test]
fn the_broken_partition_answers_with_the_offset_that_tcp_lost() {
    let path = recorded("broken-segment_server-0.8.0/group-next-4100.pcap");
    let exchanges = exchanges(&events(&path));
    let failed: Vec<_> = exchanges
        .iter()
        .filter(|exchange| exchange.status == Some(400))
        .collect();
    assert!(!failed.is_empty());
    for exchange in failed {
        assert!(exchange.target.contains("partition_id=2"));
        let body = String::from_utf8_lossy(&exchange.response_body.bytes);
        assert!(body.contains("Invalid offset: 24"), "{body}");
    }
}

#[test]
fn a_stream_is_recognised_as_http_by_its_first_bytes_and_no_other_is() {
    for path in recordings() {
        for (_, server, to_server, to_client) in streams(&events(&path)).values() {
            let is_http = Some(server.port() == 3000);
            for bytes in [to_server, to_client] {
                if !bytes.is_empty() {
                    assert_eq!(looks_like_http(bytes), is_http, "{}", path.display());
                }
            }
        }
    }
}

#[test]
fn streams_cut_at_every_byte_give_the_same_exchanges() {
    for folder in ["http_server-0.8.0", "http_server-0.9-edge"] {
        let events = events(&recorded(folder).join("http.pcap"));
        let whole = exchanges(&events);
        let bytewise: Vec<_> = events.iter().flat_map(cut_into_bytes).collect();
        assert_eq!(exchanges(&bytewise), whole);
    }
}

fn cut_into_bytes(event: &StreamEvent) -> Vec<StreamEvent> {
    let StreamEventKind::Bytes { direction, bytes } = &event.kind else {
        return vec![event.clone()];
    };
    (0..bytes.len())
        .map(|at| StreamEvent {
            kind: StreamEventKind::Bytes {
                direction: *direction,
                bytes: bytes.slice(at..=at),
            },
            ..event.clone()
        })
        .collect()
}

#[test]
fn responses_cut_in_two_at_every_byte_give_the_same_exchanges() {
    let events = events(&recorded("http_server-0.9-edge/http.pcap"));
    for number in streams(&events).into_keys() {
        let stream: Vec<_> = events
            .iter()
            .filter(|e| e.stream == number)
            .cloned()
            .collect();
        let whole = stream_exchanges(&stream);
        assert!(!whole.is_empty());
        for (index, event) in stream.iter().enumerate() {
            let StreamEventKind::Bytes { direction, bytes } = &event.kind else {
                continue;
            };
            for at in 1..bytes.len() {
                let part = |bytes| StreamEvent {
                    kind: StreamEventKind::Bytes {
                        direction: *direction,
                        bytes,
                    },
                    ..event.clone()
                };
                let mut cut = stream.clone();
                cut.splice(
                    index..=index,
                    [part(bytes.slice(..at)), part(bytes.slice(at..))],
                );
                assert_eq!(stream_exchanges(&cut), whole, "at {at}");
            }
        }
    }
}

fn stream_exchanges(events: &[StreamEvent]) -> Vec<HttpExchange> {
    let mut stream = HttpStream::new();
    events.iter().flat_map(|event| stream.push(event)).collect()
}

/// A request and what was printed of its response: the body, cut at some
/// length, then ` -> ` and the status, unless that was cut off.
struct Entry<'a> {
    request: &'a str,
    body: &'a str,
    status: Option<u16>,
}

fn entries(printed: &str) -> impl Iterator<Item = Entry<'_>> {
    let lines: Vec<_> = printed.lines().collect();
    let mut at = 0;
    std::iter::from_fn(move || {
        let request = *lines.get(at)?;
        let response = *lines.get(at + 1)?;
        at += 2;
        let (body, status) = match response.rsplit_once(" -> ") {
            Some((body, status)) => (body, status.parse().ok()),
            None => (response, None),
        };
        Some(Entry {
            request,
            body,
            status,
        })
    })
}

impl Entry<'_> {
    fn compare(&self, exchange: &HttpExchange) {
        let body = String::from_utf8_lossy(&exchange.response_body.bytes);
        match self.status {
            Some(status) => {
                assert_eq!(exchange.status, Some(status), "{}", self.request);
                assert_eq!(body, self.body, "{}", self.request);
            }
            None => assert!(body.starts_with(self.body), "{}: {body}", self.request),
        }
        assert_eq!(exchange.response_body.length, body.len() as u64);
    }
}
