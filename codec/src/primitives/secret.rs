use crate::reader::{self, Parsed};

/// A password or token. Its text is in memory and on the wire only: what prints
/// it, prints stars.
///
/// ```
/// use parallax_codec::primitives::Secret;
/// let password = Secret::new("hunter2");
/// assert_eq!(format!("{password:?}"), "Secret(***)");
/// assert_eq!(password.reveal(), "hunter2");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The secret that is `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, to be sent and never to be shown or kept.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// `[length u8][UTF-8]`, possibly empty: a password.
    pub(crate) fn parse_u8<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, Self> {
        let (rest, text) = reader::text_u8(what, input)?;
        Ok((rest, Self(text)))
    }

    /// `[length u8][UTF-8]`, never empty: a token.
    pub(crate) fn parse_name<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, Self> {
        let (rest, text) = reader::name(what, input)?;
        Ok((rest, Self(text)))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(***)")
    }
}
