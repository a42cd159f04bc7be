//! An HTTP exchange of a capture as an exchange like any other.

use bytes::Bytes;
use parallax_captures::http_poll::{parse_answer, parse_refusal, parse_target};
use parallax_captures::import::http::HttpExchange;
use parallax_captures::verdict::HttpRefusal;
use parallax_captures::{ConnectionId, Content, Dialect, Exchange, HttpContent, Times};

pub(super) fn http_exchange(conn: ConnectionId, http: HttpExchange) -> Exchange {
    let poll = (http.method == "GET")
        .then(|| parse_target(&http.target))
        .flatten();
    // Where a request holds secrets, the text of an error may repeat them: only
    // its number is kept.
    let is_secret = http.request_body.withheld;
    let body = &http.response_body.bytes;
    // An answer that is neither messages nor an error of Iggy's is shown as it
    // is, and compared with nothing.
    let answer = match (http.status, &poll) {
        (Some(status), Some(_)) => parse_answer(status, body).ok(),
        (Some(status @ 400..), None) => parse_refusal(status, body).ok().map(|refusal| {
            let reason = if is_secret {
                String::new()
            } else {
                refusal.reason
            };
            Err(HttpRefusal { reason, ..refusal })
        }),
        _ => None,
    };
    Exchange {
        n: 0,
        conn,
        dialect: Dialect::Http,
        times: Times {
            request_first: http.time,
            request_last: http.request_ended.unwrap_or(http.time),
            reply: http.response_began.zip(http.response_ended),
        },
        content: Content::Http(HttpContent {
            method: http.method,
            target: http.target,
            http_status: http.status,
            request_body: http.request_body.bytes,
            response_body: if is_secret {
                Bytes::new()
            } else {
                http.response_body.bytes
            },
            poll,
            answer,
        }),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: parallax_captures::Annotation::default(),
        altered: None,
    }
}

/// Whether a path is one that Iggy's HTTP API has, and few others: what says of a
/// stream on any port that it goes to an Iggy server. From server 0.8.0,
/// `core/server/src/http`.
pub(super) fn is_of_the_api(target: &str) -> bool {
    let path = target.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    matches!(
        segments[..],
        ["streams" | "personal-access-tokens", ..]
            | ["cluster", "metadata"]
            | ["users", "login" | "logout" | "refresh-token"]
    )
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use parallax_captures::import::http::HttpBody;

    use super::*;

    const BODY: &[u8] = br#"{"id":42,"code":"invalid_credentials","reason":"canary is wrong"}"#;

    fn refused(target: &str, withheld: bool) -> String {
        let body = |bytes: &'static [u8]| HttpBody {
            bytes: Bytes::from_static(bytes),
            length: bytes.len() as u64,
            withheld,
        };
        let time = Timestamp::UNIX_EPOCH;
        let exchange = http_exchange(
            ConnectionId(1),
            HttpExchange {
                time,
                request_ended: Some(time),
                response_began: Some(time),
                response_ended: Some(time),
                method: "POST".to_owned(),
                target: target.to_owned(),
                authorized: false,
                request_body: body(b""),
                status: Some(400),
                content_type: None,
                response_body: HttpBody {
                    withheld: false,
                    ..body(BODY)
                },
                complete: true,
            },
        );
        assert_eq!(exchange.status(), Some(42));
        format!("{exchange:?}")
    }

    #[test]
    fn a_refused_login_keeps_its_number_and_loses_its_text() {
        assert!(!refused("/users/login", true).contains("canary"));
        assert!(refused("/streams", false).contains("canary is wrong"));
    }
}
