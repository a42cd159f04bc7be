//! Bodies to values.

use std::hint::black_box;

use bytes::Bytes;
use parallax_codec::{Dialect, Encode as _, Reply, Request, code};

use crate::case::{Case, Prepared};
use crate::frames::{login, poll, polled, send};

const TIMES: u64 = 100;

pub(crate) fn cases() -> Vec<Case> {
    [
        Case::in_both("decoding: a poll", |dialect| asked(dialect, &poll(10))),
        Case::in_both("decoding: a reply of 1 message", |dialect| {
            answered(dialect, 1)
        }),
        Case::in_both("decoding: a reply of 100 messages", |dialect| {
            answered(dialect, 100)
        }),
        Case::in_both("decoding: a send of 100 messages", |dialect| {
            asked(dialect, &send(dialect, 100))
        }),
        Case::in_both("decoding: a login", |dialect| {
            asked(dialect, &login(dialect))
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn asked(dialect: Dialect, request: &Request) -> Prepared {
    let (code, body) = (request.code(), request.encode());
    repeated(body, move |body| {
        Request::decode(dialect, code, body).unwrap()
    })
}

fn answered(dialect: Dialect, messages: u32) -> Prepared {
    let body = polled(dialect, 0, messages, 100);
    repeated(body, move |body| {
        Reply::decode(dialect, code::POLL_MESSAGES, body).unwrap()
    })
}

fn repeated<T>(body: Bytes, decode: impl Fn(&Bytes) -> T + 'static) -> Prepared {
    Prepared::new(TIMES, move || {
        for _ in 0..TIMES {
            black_box(decode(black_box(&body)));
        }
    })
}
