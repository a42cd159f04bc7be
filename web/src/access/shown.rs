//! What a request shows of who sends it.

use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// The secret in `Authorization`: a Bearer's token, or of Basic the password, whoever's it
/// is said to be.
pub(crate) fn authorization(headers: &HeaderMap) -> Option<Vec<u8>> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, rest) = value.split_once(' ')?;
    let rest = rest.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.as_bytes().to_vec());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = BASE64_STANDARD.decode(rest).ok()?;
    let colon = pair.iter().position(|byte| *byte == b':')?;
    Some(pair[colon + 1..].to_vec())
}

/// The values of the cookies with this name.
pub(crate) fn cookies<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a [u8]> {
    let all = headers.get_all(header::COOKIE).into_iter();
    let pairs = all.flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
    pairs.filter_map(move |pair| {
        let (cookie, value) = halves(pair.trim_ascii(), b'=')?;
        (cookie == name.as_bytes()).then_some(value)
    })
}

fn halves(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == at)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

/// The token in a query, and the query without it.
pub(crate) fn token(query: &str) -> Option<(&str, String)> {
    let mut token = None;
    let mut others = Vec::new();
    for pair in query.split('&') {
        match pair.strip_prefix("token=") {
            Some(value) => token = Some(value),
            None => others.push(pair),
        }
    }
    Some((token?, others.join("&")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn a_tool_shows_its_secret_as_bearer_or_as_basic() {
        let shown = |value| authorization(&headers(&[("authorization", value)]));
        assert_eq!(shown("Bearer abc").unwrap(), b"abc");
        assert_eq!(shown("basic dTphOmI=").unwrap(), b"a:b", "u:a:b");
        for odd in ["Bearer", "Basic ???", "Basic dQ==", "Digest x", ""] {
            assert_eq!(shown(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        let headers = headers(&[
            ("cookie", "a=1; parallax-1=x=y;b"),
            ("cookie", "parallax-1=z"),
        ]);
        let found: Vec<_> = cookies(&headers, "parallax-1").collect();
        assert_eq!(found, [b"x=y".as_slice(), b"z"]);
    }

    #[test]
    fn a_token_leaves_the_query_as_it_was_without_it() {
        assert_eq!(token("token=t"), Some(("t", String::new())));
        assert_eq!(token("a=%20&token=t&b"), Some(("t", "a=%20&b".to_owned())));
        assert_eq!(token("a=token"), None);
    }
}
