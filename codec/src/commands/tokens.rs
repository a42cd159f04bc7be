use crate::decode::Decode;
use crate::primitives::Secret;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Creates a token, code 42. The reply is [`RawPersonalAccessToken`].
///
/// ```text
/// [name length u8][name][expiry u64]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/personal_access_tokens/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatePersonalAccessToken {
    /// The token's name, 1 to 255 bytes.
    pub name: String,
    /// How long it is good, in microseconds; 0 the server's default, `u64::MAX`
    /// for ever.
    pub expiry: u64,
}

impl Decode for CreatePersonalAccessToken {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, name) = reader::name("name", input)?;
        let (rest, expiry) = reader::u64("expiry", rest)?;
        let value = Self { name, expiry };
        Ok((rest, value))
    }
}

impl Encode for CreatePersonalAccessToken {
    fn write(&self, writer: &mut impl Writer) {
        writer.text_u8("name_length", "name", &self.name);
        writer.u64("expiry", self.expiry);
    }
}

/// Deletes a token, code 43. The reply has no body.
///
/// ```text
/// [name length u8][name]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/personal_access_tokens/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletePersonalAccessToken {
    /// The token's name, not the token.
    pub name: String,
}

impl Decode for DeletePersonalAccessToken {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, name) = reader::name("name", input)?;
        let value = Self { name };
        Ok((rest, value))
    }
}

impl Encode for DeletePersonalAccessToken {
    fn write(&self, writer: &mut impl Writer) {
        writer.text_u8("name_length", "name", &self.name);
    }
}

/// A new token, the only time that the server tells it: the reply to 42.
///
/// ```text
/// [token length u8][token]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/personal_access_tokens/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawPersonalAccessToken {
    /// The token, 1 to 255 bytes.
    pub token: Secret,
}

impl Decode for RawPersonalAccessToken {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, token) = Secret::parse_name("token", input)?;
        Ok((rest, Self { token }))
    }
}

impl Encode for RawPersonalAccessToken {
    fn write(&self, writer: &mut impl Writer) {
        writer.secret_u8("token_length", "token", self.token.reveal());
    }
}

/// A token by its name: one of those in the reply to 41.
///
/// ```text
/// [name length u8][name][expiry_at u64]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/personal_access_tokens/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalAccessToken {
    /// Its name.
    pub name: String,
    /// Until when it is good, in microseconds since 1970; 0 for ever.
    pub expiry_at: u64,
}

impl Decode for PersonalAccessToken {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, name) = reader::name("token name", input)?;
        let (rest, expiry_at) = reader::u64("expiry at", rest)?;
        let value = Self { name, expiry_at };
        Ok((rest, value))
    }
}

impl Encode for PersonalAccessToken {
    fn write(&self, writer: &mut impl Writer) {
        writer.text_u8("name_length", "name", &self.name);
        writer.u64("expiry_at", self.expiry_at);
    }
}
