//! An HTTP exchange of a capture as an exchange like any other.

use parallax_captures::http_poll::{parse_answer, parse_refusal, parse_target};
use parallax_captures::import::http::HttpExchange;
use parallax_captures::{ConnectionId, Content, Dialect, Exchange, HttpContent, Times};

pub(super) fn http_exchange(conn: ConnectionId, http: HttpExchange) -> Exchange {
    let poll = (http.method == "GET")
        .then(|| parse_target(&http.target))
        .flatten();
    let body = &http.response_body.bytes;
    // An answer that is neither messages nor an error of Iggy's is shown as it
    // is, and compared with nothing.
    let answer = match (http.status, &poll) {
        (Some(status), Some(_)) => parse_answer(status, body).ok(),
        (Some(status @ 400..), None) => parse_refusal(status, body).ok().map(Err),
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
            response_body: http.response_body.bytes,
            poll,
            answer,
        }),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
    }
}
