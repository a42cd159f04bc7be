//! Shapes of the VSR dialect's headers, and of what may precede a reply's body.

use super::part::{Part, Parts, counted, fixed, group, kind, u8, u32, u64, u128};
use crate::vsr::{Command, EvictionReason, Operation};

const PRELUDE: [Part; 9] = [
    u128("checksum"),
    u128("checksum_body"),
    u128("cluster"),
    u32("size"),
    u32("view"),
    u32("release"),
    kind("command", command_name),
    u8("replica"),
    fixed("reserved", 66),
];

fn command_name(number: u8) -> &'static str {
    Command(number).name()
}

fn operation_name(number: u8) -> &'static str {
    Operation(number).name()
}

fn reason_name(number: u8) -> &'static str {
    EvictionReason(number).name()
}

const REQUEST: [Part; 15] = {
    let [a, b, c, d, e, f, g, h, i] = PRELUDE;
    [
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,
        i,
        u128("client"),
        u128("request_checksum"),
        u64("timestamp"),
        u64("request"),
        kind("operation", operation_name),
        fixed("operation_padding", 7),
    ]
};

/// The header of a request.
pub const REQUEST_HEADER: Parts = &{
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = REQUEST;
    let (session, user, code) = (u64("session"), u32("user_id"), u32("code"));
    let reserved = fixed("reserved", 56);
    [
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, session, user, code, reserved,
    ]
};

/// The header of a request to servers 0.8.1-edge.1 and 0.8.2-edge.1; a number at byte
/// 192 and none at 196 tells it: [`RequestHeader`](crate::vsr::RequestHeader).
pub const REQUEST_HEADER_WITH_NAMESPACE: Parts = &{
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = REQUEST;
    let namespace = u64("namespace");
    let (session, user, code) = (u64("session"), u32("user_id"), u32("code"));
    let reserved = fixed("reserved", 48);
    [
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, namespace, session, user, code, reserved,
    ]
};

/// The header of a reply, but for its last 40 bytes, which are one of the four below:
/// [`StatusLayout`](crate::vsr::StatusLayout).
pub const REPLY_HEADER: Parts = &{
    let [a, b, c, d, e, f, g, h, i] = PRELUDE;
    [
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,
        i,
        u128("request_checksum"),
        u128("context"),
        u128("client"),
        u64("op"),
        u64("commit"),
        u64("timestamp"),
        u64("request"),
        kind("operation", operation_name),
        fixed("operation_padding", 7),
    ]
};

/// The end of a reply's header: the status.
pub const STATUS: Parts = &[u32("status"), fixed("reserved", 36)];

/// The end of a reply's header: a namespace, then the status.
pub const STATUS_BEHIND_NAMESPACE: Parts =
    &[u64("namespace"), u32("status"), fixed("reserved", 28)];

/// The end of a reply's header: a namespace alone.
pub const NAMESPACE: Parts = &[u64("namespace"), fixed("reserved", 32)];

/// The end of a reply's header where nothing tells which it is.
pub const STATUS_OR_NAMESPACE: Parts = &[u32("status_or_namespace"), fixed("reserved", 36)];

/// The header of an eviction.
pub const EVICTION_HEADER: Parts = &{
    let [a, b, c, d, e, f, g, h, i] = PRELUDE;
    [
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,
        i,
        u128("client"),
        u32("server_protocol_version"),
        u32("server_protocol_version_min"),
        fixed("reserved", 103),
        kind("reason", reason_name),
    ]
};

/// The header of any other frame.
pub const OTHER_HEADER: Parts = &{
    let [a, b, c, d, e, f, g, h, i] = PRELUDE;
    [a, b, c, d, e, f, g, h, i, fixed("by_command", 128)]
};

/// What precedes the body of a reply to a replicated command:
/// [`ResultSection`](crate::vsr::ResultSection).
pub const RESULT_SECTION: Parts = &[
    u32("results_count"),
    counted(
        "results_count",
        "results",
        &[group("entry", &[u32("index"), u32("result")])],
    ),
];
