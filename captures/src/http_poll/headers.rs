//! User headers in the shapes that servers have written them in (case C8).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use parallax_codec::messages::{HeaderField, HeaderKind, UserHeader};
use serde::Deserialize;
use serde_json::Map;
use serde_json::value::RawValue;

use crate::poll::UserHeaders;

/// Reads headers that are absent, `null`, a list of keys and values (servers 0.7
/// and later), a map (0.6.0), or base64 of bytes that the server could not read
/// as headers (0.8.0).
pub(super) fn parse(raw: Option<&RawValue>) -> Result<UserHeaders, String> {
    let text = raw.map_or("null", RawValue::get);
    match text.as_bytes().first() {
        Some(b'[') => read::<Vec<Pair>>(text).and_then(|pairs| {
            let headers = pairs.iter().map(|pair| {
                let (key, value) = (pair.key.decoded()?, pair.value.decoded()?);
                Ok(UserHeader { key, value })
            });
            headers.collect::<Result<_, _>>().map(UserHeaders::Decoded)
        }),
        Some(b'{') => read::<Map<String, serde_json::Value>>(text).and_then(|map| {
            let headers = map.into_iter().map(|(name, value)| {
                let key = HeaderField {
                    kind: HeaderKind::STRING,
                    bytes: name.into_bytes(),
                };
                let value: Typed = serde_json::from_value(value).map_err(|e| e.to_string())?;
                let value = value.decoded()?;
                Ok(UserHeader { key, value })
            });
            headers.collect::<Result<_, _>>().map(UserHeaders::Decoded)
        }),
        Some(b'"') => read::<String>(text).and_then(|text| {
            let bytes = base64(&text)?;
            Ok(UserHeaders::from_wire(&Bytes::from(bytes)))
        }),
        Some(b'n') => Ok(UserHeaders::Decoded(Vec::new())),
        _ => Err("user_headers is neither list, map nor text".to_owned()),
    }
}

/// The bytes that `text` stands for.
pub(super) fn base64(text: &str) -> Result<Vec<u8>, String> {
    let undecodable = |error| format!("not base64: {error}");
    STANDARD.decode(text).map_err(undecodable)
}

#[derive(Deserialize)]
struct Pair {
    key: Typed,
    value: Typed,
}

#[derive(Deserialize)]
struct Typed {
    kind: String,
    value: String,
}

impl Typed {
    fn decoded(&self) -> Result<HeaderField, String> {
        let kind = HeaderKind::from_name(&self.kind)
            .ok_or_else(|| format!("user header of unknown kind {:?}", self.kind))?;
        let bytes = base64(&self.value)?;
        Ok(HeaderField { kind, bytes })
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("user_headers: {error}"))
}
