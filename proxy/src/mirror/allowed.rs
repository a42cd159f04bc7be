//! The only requests that the mirror may send over HTTP.

use parallax_captures::http_poll::{parse_target, target};
use reqwest::Method;

use super::offsets::is_offset_query;

/// What every Iggy server answers without a login, with `pong` (`http/system.rs`
/// of server 0.8.0, `http/handlers.rs` of 0.9).
pub(super) const PING_TARGET: &str = "/ping";

/// What a server says of its process and machine, to `parallax doctor`.
pub(super) const STATS_TARGET: &str = "/stats";

/// Whether a request may be sent: a poll that names its partition and does not
/// commit, a look at a topic, a stored offset or the statistics, a ping, a login. Everything else
/// would be more than looking on.
pub(super) fn allowed(method: &Method, path_and_query: &str) -> bool {
    let (path, query) = path_and_query
        .split_once('?')
        .unwrap_or((path_and_query, ""));
    let Some(path) = path.strip_prefix('/') else {
        return false;
    };
    let segments: Vec<&str> = path.split('/').collect();
    match (method.as_str(), segments.as_slice()) {
        ("POST", ["users" | "personal-access-tokens", "login"]) => {
            path_and_query == format!("/{path}")
        }
        ("GET", ["ping"]) => path_and_query == PING_TARGET,
        ("GET", ["stats"]) => path_and_query == STATS_TARGET,
        ("GET", ["streams", stream, "topics", topic]) => {
            is_name(stream) && is_name(topic) && query.is_empty()
        }
        ("GET", ["streams", stream, "topics", topic, "messages"]) => {
            is_name(stream) && is_name(topic) && is_harmless_poll(path_and_query)
        }
        ("GET", ["streams", stream, "topics", topic, "consumer-offsets"]) => {
            is_name(stream) && is_name(topic) && is_offset_query(query)
        }
        _ => false,
    }
}

/// A name that stays in its place: `.` and `..` are steps in a path.
fn is_name(segment: &str) -> bool {
    !matches!(segment, "" | "." | "..")
}

/// Read as the server reads it and written again it must be the same, so that no
/// parameter hides behind another.
fn is_harmless_poll(path_and_query: &str) -> bool {
    parse_target(path_and_query).is_some_and(|poll| {
        poll.partition_id.is_some() && !poll.auto_commit && target(&poll) == path_and_query
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_looking_is_allowed() {
        let poll = "/streams/otel/topics/metrics/messages?consumer_id=parallax&partition_id=2\
                    &kind=first&value=0&count=10&auto_commit=false";
        assert!(allowed(&Method::GET, poll));
        assert!(allowed(&Method::GET, "/streams/a%2Fb/topics/7"));
        assert!(allowed(&Method::GET, "/ping"));
        assert!(allowed(&Method::GET, "/stats"));
        assert!(!allowed(&Method::GET, "/stats?a=b"));
        assert!(!allowed(&Method::POST, "/stats"));
        let offset = "/streams/otel/topics/7/consumer-offsets?consumer_id=a%2Fb&partition_id=2";
        assert!(allowed(&Method::GET, offset));
        assert!(allowed(&Method::POST, "/users/login"));
        assert!(allowed(&Method::POST, "/personal-access-tokens/login"));
        for method in [
            Method::POST,
            Method::PUT,
            Method::DELETE,
            Method::PATCH,
            Method::HEAD,
        ] {
            assert!(!allowed(&method, poll), "{method} {poll}");
            assert!(!allowed(&method, offset), "{method} {offset}");
            assert!(
                !allowed(&method, "/streams/otel/topics/metrics"),
                "{method} topic"
            );
        }
        for target in [
            poll.replace("auto_commit=false", "auto_commit=true")
                .as_str(),
            &poll.replace("&auto_commit=false", ""),
            &poll.replace("&partition_id=2", ""),
            &format!("{poll}&auto_commit=true"),
            &format!("{poll}&auto_commit=true&auto_commit=false"),
            "/streams/otel/topics/metrics/messages/flush/0/true",
            "/streams/otel/topics/metrics?purge=true",
            "/streams/otel/topics/metrics/consumer-offsets",
            &offset.replace("&partition_id=2", ""),
            &offset.replace("consumer_id=a%2Fb", "consumer_id="),
            &format!("{offset}&offset=7"),
            &offset.replace("consumer-offsets?", "consumer-offsets/1?"),
            "/streams/../topics/metrics",
            "/streams//topics/metrics",
            "/users/login",
            "/users/login?x=1",
            "/ping?",
            "/ping?x=1",
            "/ping/",
            "//ping",
            "//host/users/login",
            "",
        ] {
            assert!(!allowed(&Method::GET, target), "GET {target}");
        }
        for target in [
            "/users/login?",
            "/users/login?a=b",
            "/users",
            "/users/login/",
            "users/login",
            "/ping",
        ] {
            assert!(!allowed(&Method::POST, target), "POST {target}");
        }
    }
}
