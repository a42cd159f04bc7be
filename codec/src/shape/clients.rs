//! Shapes of replies about clients.

use super::part::{Part, Parts, counted, group, kind, text, to_end, u32};
use crate::commands::clients::transport_name;

pub(super) const CLIENT_REF: Parts = &[u32("client_id")];

const CLIENT: [Part; 5] = [
    u32("client_id"),
    Part::Meaning {
        name: "user_id",
        numbers: &[u32::MAX],
        of: nobody_yet,
    },
    kind("transport", transport_name),
    text("address_length", "address"),
    u32("consumer_groups_count"),
];

fn nobody_yet(user_id: u32) -> Option<&'static str> {
    (user_id == u32::MAX).then_some("nobody yet")
}

pub(super) const CLIENTS: Parts = &[to_end("clients", &[group("client", &CLIENT)])];

pub(super) const CLIENT_DETAILS: Parts = &{
    let [a, b, c, d, e] = CLIENT;
    let membership = counted(
        "consumer_groups_count",
        "consumer_groups",
        &[group(
            "membership",
            &[u32("stream_id"), u32("topic_id"), u32("group_id")],
        )],
    );
    [a, b, c, d, e, membership]
};
