//! Who sends something: a page of ours, or one that only knows our address.

use axum::http::{HeaderMap, header};

/// Whether a request that changes something comes from a page of ours, or from a tool.
/// `Host` is known to be one of our names already.
///
/// A browser tells where a form or script came from in `Origin`, and never lets a page
/// from elsewhere set it. An `Authorization` header cannot be set from elsewhere either
/// without being asked for by a preflight, which is refused.
pub(crate) fn is_our_own(headers: &HeaderMap) -> bool {
    if headers.contains_key(header::ORIGIN) {
        return is_same_origin(headers);
    }
    let fetch_site = only(headers, "sec-fetch-site");
    match fetch_site {
        Some(site) => site == "same-origin",
        None => headers.contains_key(header::AUTHORIZATION),
    }
}

fn is_same_origin(headers: &HeaderMap) -> bool {
    let origin = only(headers, header::ORIGIN.as_str());
    let named = origin.and_then(|origin| origin.strip_prefix("http://"));
    let host = only(headers, header::HOST.as_str());
    named.is_some_and(|named| host.is_some_and(|host| named.eq_ignore_ascii_case(host)))
}

/// The header's value, where there is one and no other.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let (first, second) = (all.next()?, all.next());
    first.to_str().ok().filter(|_| second.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(pairs: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        headers.append("host", "127.0.0.1:8191".parse().unwrap());
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        is_our_own(&headers)
    }

    #[test]
    fn a_page_of_ours_and_a_tool_that_says_who_it_is_may_send() {
        assert!(own(&[("origin", "http://127.0.0.1:8191")]));
        assert!(own(&[("sec-fetch-site", "same-origin")]));
        assert!(own(&[("authorization", "Bearer x")]));
    }

    #[test]
    fn everybody_else_may_not() {
        assert!(!own(&[]));
        for origin in [
            "http://evil.example",
            "http://localhost:8191",
            "http://127.0.0.1:8192",
            "http://127.0.0.1",
            "https://127.0.0.1:8191",
            "null",
            "",
        ] {
            let headers = [
                ("origin", origin),
                ("sec-fetch-site", "same-origin"),
                ("authorization", "x"),
            ];
            assert!(!own(&headers), "{origin}");
        }
        assert!(!own(&[
            ("origin", "http://127.0.0.1:8191"),
            ("origin", "http://evil.example")
        ]));
        for site in ["cross-site", "same-site", "none"] {
            assert!(
                !own(&[("sec-fetch-site", site), ("authorization", "x")]),
                "{site}"
            );
        }
    }
}
