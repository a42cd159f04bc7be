//! Names in the addresses of Iggy's HTTP API.

use super::names::Names;
use crate::http_poll::decode_segment;

/// Segments after which an id or a name stands (server 0.8.0, its HTTP routes).
const COLLECTIONS: [&str; 6] = [
    "clients",
    "consumer-groups",
    "personal-access-tokens",
    "streams",
    "topics",
    "users",
];

/// Segments that name no one.
const ROUTES: [&str; 20] = [
    "cluster",
    "consumer-offsets",
    "false",
    "flush",
    "health",
    "login",
    "logout",
    "messages",
    "metadata",
    "metrics",
    "partitions",
    "password",
    "permissions",
    "ping",
    "purge",
    "refresh-token",
    "segments",
    "snapshot",
    "stats",
    "true",
];

/// Parameters that name no one.
const PARAMETERS: [&str; 8] = [
    "auto_commit",
    "consumer_kind",
    "count",
    "kind",
    "partition_id",
    "partitions_count",
    "segments_count",
    "value",
];

/// The address with its names replaced.
pub(super) fn target(names: &mut Names, target: &str) -> String {
    let (origin, path) = match target.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let (user, host) = authority
                .rsplit_once('@')
                .map_or(("", authority), |(_, host)| ("***@", host));
            (format!("{scheme}://{user}{}", names.host(host)), path)
        }
        None => (String::new(), target),
    };
    let (path, query) = path
        .split_once('?')
        .map_or((path, None), |(path, query)| (path, Some(query)));
    let mut told = origin + &segments(names, path);
    if let Some(query) = query {
        let pairs: Vec<_> = query
            .split('&')
            .map(|pair| parameter(names, pair))
            .collect();
        told = format!("{told}?{}", pairs.join("&"));
    }
    told
}

fn segments(names: &mut Names, path: &str) -> String {
    let mut told = Vec::new();
    let mut names_one = false;
    for segment in path.split('/') {
        let is_login = matches!(segment, "login" | "logout");
        let is_route = ROUTES.contains(&segment) || COLLECTIONS.contains(&segment);
        let stays = is_login || !names_one && is_route;
        told.push(if stays {
            segment.to_owned()
        } else {
            one(names, segment, false)
        });
        names_one = !names_one && COLLECTIONS.contains(&segment);
    }
    told.join("/")
}

fn parameter(names: &mut Names, pair: &str) -> String {
    match pair.split_once('=') {
        Some((name, value)) if !PARAMETERS.contains(&name) => {
            format!("{name}={}", one(names, value, true))
        }
        _ => pair.to_owned(),
    }
}

/// What was struck out is a secret, and stays so.
fn one(names: &mut Names, text: &str, in_query: bool) -> String {
    if text.is_empty() || text == "***" {
        return text.to_owned();
    }
    match decode_segment(text, in_query) {
        Some(name) => names.name(&name),
        None => names.name(text),
    }
}
