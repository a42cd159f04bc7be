use crate::decode::Decode;
use crate::primitives::Secret;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Logs in by name and password, code 38. The reply is [`Identity`].
///
/// ```text
/// [username length u8][username][password length u8][password]
/// [version length u32][version][context length u32][context]
/// ```
/// Both `u32` lengths are always there; 0 stands for "not given".
/// From `iggy_binary_protocol` 0.10.0, `requests/users/login_user.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginUser {
    /// The user's name, 1 to 255 bytes.
    pub username: String,
    /// The password, up to 255 bytes.
    pub password: Secret,
    /// The SDK's version, `0.10.0`.
    pub version: Option<String>,
    /// What the client says about itself, if anything.
    pub context: Option<String>,
}

impl Decode for LoginUser {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, username) = reader::name("username", input)?;
        let (rest, password) = Secret::parse_u8("password", rest)?;
        let (rest, version) = reader::text_u32("version", rest)?;
        let (rest, context) = reader::text_u32("context", rest)?;
        let value = Self {
            username,
            password,
            version: Some(version).filter(|text| !text.is_empty()),
            context: Some(context).filter(|text| !text.is_empty()),
        };
        Ok((rest, value))
    }
}

impl Encode for LoginUser {
    fn write(&self, writer: &mut impl Writer) {
        writer.text_u8("username_length", "username", &self.username);
        writer.secret_u8("password_length", "password", self.password.reveal());
        writer.text_u32(
            "version_length",
            "version",
            self.version.as_deref().unwrap_or_default(),
        );
        writer.text_u32(
            "context_length",
            "context",
            self.context.as_deref().unwrap_or_default(),
        );
    }
}

/// Logs in by a token, code 44. The reply is [`Identity`].
///
/// ```text
/// [token length u8][token]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/personal_access_tokens/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginWithPersonalAccessToken {
    /// The token, 1 to 255 bytes.
    pub token: Secret,
}

impl Decode for LoginWithPersonalAccessToken {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, token) = Secret::parse_name("token", input)?;
        Ok((rest, Self { token }))
    }
}

impl Encode for LoginWithPersonalAccessToken {
    fn write(&self, writer: &mut impl Writer) {
        writer.secret_u8("token_length", "token", self.token.reveal());
    }
}

/// Who has logged in: the reply to both logins. The classic wire has no session
/// token; the connection is the session.
///
/// ```text
/// [user_id u32]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/users/login_user.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The user's number.
    pub user_id: u32,
}

impl Decode for Identity {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, user_id) = reader::u32("user id", input)?;
        let value = Self { user_id };
        Ok((rest, value))
    }
}

impl Encode for Identity {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("user_id", self.user_id);
    }
}
