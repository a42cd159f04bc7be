//! What of an HTTP exchange may be kept.

/// First path segments below which no body holds a password or a token. Logins,
/// users and personal access tokens do; what is not known may.
/// From the HTTP routes of server 0.8.0.
const HARMLESS: [&str; 6] = ["clients", "cluster", "metrics", "ping", "stats", "streams"];

/// Whether the bodies of this address may be kept.
pub(super) fn may_keep_bodies(target: &str) -> bool {
    let path = match target.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => target.trim_start_matches('/'),
    };
    let first = path.split(['/', '?', '#']).next().unwrap_or_default();
    HARMLESS.contains(&first)
}

/// The address with the values of secret query parameters struck out.
pub(super) fn strike_out(target: &str) -> String {
    let Some((path, query)) = target.split_once('?') else {
        return target.to_owned();
    };
    let parameters: Vec<_> = query
        .split('&')
        .map(|parameter| match parameter.split_once('=') {
            Some((name, _)) if is_secret(name) => format!("{name}=***"),
            _ => parameter.to_owned(),
        })
        .collect();
    format!("{path}?{}", parameters.join("&"))
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["token", "password", "secret"]
        .iter()
        .any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_of_logins_and_of_unknown_addresses_are_not_kept() {
        for target in [
            "/users/login",
            "/users",
            "/personal-access-tokens?x=1",
            "/",
            "",
            "/streamsx",
            "http://localhost:3000/users/login",
            "//users/login",
        ] {
            assert!(!may_keep_bodies(target), "{target}");
        }
        for target in [
            "/streams",
            "/streams/1/topics",
            "/stats?x",
            "http://localhost:3000/streams",
        ] {
            assert!(may_keep_bodies(target), "{target}");
        }
    }

    #[test]
    fn a_token_in_a_query_is_struck_out_and_the_rest_kept() {
        assert_eq!(
            strike_out("/metrics?kind=first&access_token=abc=&count=3"),
            "/metrics?kind=first&access_token=***&count=3"
        );
        assert_eq!(strike_out("/stats"), "/stats");
    }
}
