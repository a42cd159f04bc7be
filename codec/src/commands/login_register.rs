use crate::decode::Decode;
use crate::primitives::Secret;
use crate::reader::{self, Parsed};
use crate::vsr::ProtocolVersion;
use crate::writer::{Encode, Writer};

/// Who a VSR client is: what both logins begin with, so that a server can refuse
/// a version before it reads the rest.
///
/// ```text
/// [protocol version u32][sdk name length u8][sdk name]
/// [sdk version length u8][sdk version]
/// ```
/// From `iggy_binary_protocol` 0.11.0, `version.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientVersion {
    /// The protocol that it speaks.
    pub protocol: ProtocolVersion,
    /// Its SDK, `rust-sdk`.
    pub sdk_name: String,
    /// The SDK's version, `0.11.0-edge.4`.
    pub sdk_version: String,
}

impl Decode for ClientVersion {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, protocol) = reader::u32("protocol version", input)?;
        let (rest, sdk_name) = reader::name("sdk name", rest)?;
        let (rest, sdk_version) = reader::name("sdk version", rest)?;
        let value = Self {
            protocol: ProtocolVersion(protocol),
            sdk_name,
            sdk_version,
        };
        Ok((rest, value))
    }
}

impl Encode for ClientVersion {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("protocol_version", self.protocol.0);
        writer.text_u8("sdk_name_length", "sdk_name", &self.sdk_name);
        writer.text_u8("sdk_version_length", "sdk_version", &self.sdk_version);
    }
}

/// Logs in by name and password and opens a session, code 40. The reply is
/// [`Session`].
///
/// ```text
/// [client version]
/// [username length u8][username][password length u8][password]
/// [context length u32][context]
/// ```
/// The code stands nowhere in the frame: see [`LoginForm`](crate::vsr::LoginForm).
/// From `iggy_binary_protocol` 0.11.0, `requests/users/login_register.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginRegister {
    /// Who the client is.
    pub version: ClientVersion,
    /// The user's name, 1 to 255 bytes.
    pub username: String,
    /// The password, up to 255 bytes.
    pub password: Secret,
    /// What the client says about itself, if anything.
    pub context: Option<String>,
}

impl Decode for LoginRegister {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, version) = ClientVersion::parse(input)?;
        let (rest, username) = reader::name("username", rest)?;
        let (rest, password) = Secret::parse_u8("password", rest)?;
        let (rest, context) = reader::text_u32("context", rest)?;
        let value = Self {
            version,
            username,
            password,
            context: Some(context).filter(|text| !text.is_empty()),
        };
        Ok((rest, value))
    }
}

impl Encode for LoginRegister {
    fn write(&self, writer: &mut impl Writer) {
        self.version.write(writer);
        writer.text_u8("username_length", "username", &self.username);
        writer.secret_u8("password_length", "password", self.password.reveal());
        let context = self.context.as_deref().unwrap_or_default();
        writer.text_u32("context_length", "context", context);
    }
}

/// Logs in by a token and opens a session, code 45. The reply is [`Session`].
///
/// ```text
/// [client version][token length u8][token][context length u32][context]
/// ```
/// From `iggy_binary_protocol` 0.11.0, `requests/users/login_register_with_pat.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginRegisterWithPat {
    /// Who the client is.
    pub version: ClientVersion,
    /// The token, up to 255 bytes.
    pub token: Secret,
    /// What the client says about itself, if anything.
    pub context: Option<String>,
}

impl Decode for LoginRegisterWithPat {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, version) = ClientVersion::parse(input)?;
        let (rest, token) = Secret::parse_u8("token", rest)?;
        let (rest, context) = reader::text_u32("context", rest)?;
        let value = Self {
            version,
            token,
            context: Some(context).filter(|text| !text.is_empty()),
        };
        Ok((rest, value))
    }
}

impl Encode for LoginRegisterWithPat {
    fn write(&self, writer: &mut impl Writer) {
        self.version.write(writer);
        writer.secret_u8("token_length", "token", self.token.reveal());
        let context = self.context.as_deref().unwrap_or_default();
        writer.text_u32("context_length", "context", context);
    }
}

/// An open session: the reply to 40 and 45.
///
/// ```text
/// [user_id u32][session u64][server protocol version u32]
/// [server version length u8][server version]
/// ```
/// From `iggy_binary_protocol` 0.11.0, `responses/users/login_register.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The user's number.
    pub user_id: u32,
    /// The session's number, which every later request carries in its header.
    pub session: u64,
    /// The newest protocol that the server speaks.
    pub server_protocol_version: ProtocolVersion,
    /// The server's version, `0.9.0-edge.5`.
    pub server_version: String,
}

impl Decode for Session {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, user_id) = reader::u32("user id", input)?;
        let (rest, session) = reader::u64("session", rest)?;
        let (rest, protocol) = reader::u32("server protocol version", rest)?;
        let (rest, server_version) = reader::name("server version", rest)?;
        let value = Self {
            user_id,
            session,
            server_protocol_version: ProtocolVersion(protocol),
            server_version,
        };
        Ok((rest, value))
    }
}

impl Encode for Session {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("user_id", self.user_id);
        writer.u64("session", self.session);
        writer.u32("server_protocol_version", self.server_protocol_version.0);
        writer.text_u8(
            "server_version_length",
            "server_version",
            &self.server_version,
        );
    }
}
