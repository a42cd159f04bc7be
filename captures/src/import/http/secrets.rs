//! What of an HTTP exchange may be kept.

/// First path segments below which no body holds a password or a token. Logins,
/// users and personal access tokens do; what is not known may.
/// From the HTTP routes of server 0.8.0.
const HARMLESS: [&str; 6] = ["clients", "cluster", "metrics", "ping", "stats", "streams"];

/// Whether the bodies of this address may be kept.
pub(super) fn may_keep_bodies(target: &str) -> bool {
    let rest = if target.starts_with('/') {
        target.trim_start_matches('/')
    } else {
        let (_, _, rest) = authority(target);
        rest.split_once('/').map_or("", |(_, path)| path)
    };
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.split('/').map(decoded);
    // Steps lead somewhere else.
    let is_step = |segment: String| matches!(segment.as_str(), "." | "..");
    let first = path.split('/').next().unwrap_or_default();
    HARMLESS.contains(&first) && !segments.any(is_step)
}

/// The address without user name and password, and with the values of secret
/// query parameters struck out.
pub(super) fn strike_out(target: &str) -> String {
    let target = if target.starts_with('/') {
        target.to_owned()
    } else {
        match authority(target) {
            (scheme, true, rest) => format!("{scheme}***@{rest}"),
            (_, false, _) => target.to_owned(),
        }
    };
    let Some((path, query)) = target.split_once('?') else {
        return target;
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

/// Of an address that is more than a path: the scheme with `://`, whether a user
/// is named, and what follows. A password may hold any sign, so it ends at the
/// last `@`.
fn authority(target: &str) -> (&str, bool, &str) {
    let begin = target.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = target.split_at(begin);
    match rest.rsplit_once('@') {
        Some((_, rest)) => (scheme, true, rest),
        None => (scheme, false, rest),
    }
}

fn is_secret(name: &str) -> bool {
    let name = decoded(name).to_ascii_lowercase();
    ["token", "password", "secret"]
        .iter()
        .any(|word| name.contains(word))
}

/// Text with its `%74` and the like replaced, as the server reads it.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            bytes.push(high << 4 | low);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
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
            "/users/login?next=://host/streams",
            "/streams/../users/login",
            "/streams/%2e%2E/users/login",
            "http://host/streams/@localhost:3000/users/login",
        ] {
            assert!(!may_keep_bodies(target), "{target}");
        }
        for target in [
            "/streams",
            "/streams/1/topics",
            "/stats?x",
            "http://localhost:3000/streams",
            "http://iggy:pw@localhost:3000/streams",
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

    #[test]
    fn a_parameter_whose_name_is_escaped_is_struck_out_too() {
        assert_eq!(
            strike_out("/stats?%74oken=abc&pass%77ord=def&%zz=1&%7=2"),
            "/stats?%74oken=***&pass%77ord=***&%zz=1&%7=2"
        );
    }

    #[test]
    fn a_user_in_an_absolute_address_is_struck_out() {
        for (target, kept) in [
            ("http://iggy:pw@h:3000/streams", "http://***@h:3000/streams"),
            (
                "http://iggy:p/w@h/stats?token=a",
                "http://***@h/stats?token=***",
            ),
            ("iggy:pw@h:3000", "***@h:3000"),
            ("http://h:3000/streams", "http://h:3000/streams"),
            ("/streams/a@b", "/streams/a@b"),
        ] {
            assert_eq!(strike_out(target), kept);
        }
    }
}
