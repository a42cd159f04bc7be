use crate::decode::Decode;
use crate::dialect::{DecodeIn, Dialect};
use crate::primitives::{Identifier, Options, Permissions, Secret};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Names a user: get (31), delete (34).
///
/// ```text
/// [user]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/users/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRef {
    /// The user.
    pub user: Identifier,
}

impl Decode for UserRef {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, user) = Identifier::parse(input)?;
        let value = Self { user };
        Ok((rest, value))
    }
}

impl Encode for UserRef {
    fn write(&self, writer: &mut impl Writer) {
        self.user.write_as("user", writer);
    }
}

/// Creates a user, code 33. The reply is [`UserDetails`].
///
/// ```text
/// [username length u8][username][password length u8][password][status u8]
/// [permissions flag u8][permissions length u32][permissions]
/// [option]*                                                       VSR alone
/// ```
/// Without permissions nothing stands between the flag, 0, and the options.
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0, `requests/users/create_user.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateUser {
    /// The name, 1 to 255 bytes.
    pub username: String,
    /// The password, up to 255 bytes.
    pub password: Secret,
    /// 1 active, 2 inactive.
    pub status: u8,
    /// What the user may do; without them, nothing.
    pub permissions: Option<Permissions>,
    /// Settings; `None` in the classic dialect.
    pub options: Option<Options>,
}

impl DecodeIn for CreateUser {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, username) = reader::name("username", input)?;
        let (rest, password) = Secret::parse_u8("password", rest)?;
        let (rest, status) = reader::u8("status", rest)?;
        let (rest, permissions) = Permissions::parse_optional(rest)?;
        let (rest, options) = Options::parse_to_end(dialect, rest)?;
        let value = Self {
            username,
            password,
            status,
            permissions,
            options,
        };
        Ok((rest, value))
    }
}

impl Encode for CreateUser {
    fn write(&self, writer: &mut impl Writer) {
        writer.text_u8("username_length", "username", &self.username);
        writer.secret_u8("password_length", "password", self.password.reveal());
        writer.kind("status", self.status, status_name(self.status));
        Permissions::write_optional(self.permissions.as_ref(), writer);
        Options::write_to_end(self.options.as_ref(), writer);
    }
}

/// Renames a user or changes the status, code 35. The reply has no body.
///
/// ```text
/// [user][username flag u8][username length u8][username][status flag u8][status u8]
/// [option]*                                                       VSR alone
/// ```
/// What a flag of 0 stands before is left out.
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0, `requests/users/update_user.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateUser {
    /// The user.
    pub user: Identifier,
    /// The new name, 1 to 255 bytes.
    pub username: Option<String>,
    /// 1 active, 2 inactive.
    pub status: Option<u8>,
    /// Settings to change; `None` in the classic dialect.
    pub options: Option<Options>,
}

impl DecodeIn for UpdateUser {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, user) = Identifier::parse(input)?;
        let name = |input| reader::name("username", input);
        let (rest, username) = reader::optional("username flag", rest, name)?;
        let status = |input| reader::u8("status", input);
        let (rest, status) = reader::optional("status flag", rest, status)?;
        let (rest, options) = Options::parse_to_end(dialect, rest)?;
        let request = Self {
            user,
            username,
            status,
            options,
        };
        Ok((rest, request))
    }
}

impl Encode for UpdateUser {
    fn write(&self, writer: &mut impl Writer) {
        self.user.write_as("user", writer);
        writer.flag("username_given", self.username.is_some());
        if let Some(username) = &self.username {
            writer.text_u8("username_length", "username", username);
        }
        writer.flag("status_given", self.status.is_some());
        if let Some(status) = self.status {
            writer.kind("status", status, status_name(status));
        }
        Options::write_to_end(self.options.as_ref(), writer);
    }
}

/// Replaces a user's permissions, code 36. The reply has no body.
///
/// ```text
/// [user][permissions flag u8][permissions length u32][permissions]
/// ```
/// Without permissions the body ends with the flag, 0.
/// From `iggy_binary_protocol` 0.10.0, `requests/users/update_permissions.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdatePermissions {
    /// The user.
    pub user: Identifier,
    /// What the user may do from now on; without them, nothing.
    pub permissions: Option<Permissions>,
}

impl Decode for UpdatePermissions {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, user) = Identifier::parse(input)?;
        let (rest, permissions) = Permissions::parse_optional(rest)?;
        let value = Self { user, permissions };
        Ok((rest, value))
    }
}

impl Encode for UpdatePermissions {
    fn write(&self, writer: &mut impl Writer) {
        self.user.write_as("user", writer);
        Permissions::write_optional(self.permissions.as_ref(), writer);
    }
}

/// Changes a password, code 37. The reply has no body.
///
/// ```text
/// [user][current length u8][current password][new length u8][new password]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/users/change_password.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangePassword {
    /// The user.
    pub user: Identifier,
    /// The password so far.
    pub current_password: Secret,
    /// The password from now on.
    pub new_password: Secret,
}

impl Decode for ChangePassword {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, user) = Identifier::parse(input)?;
        let (rest, current_password) = Secret::parse_u8("current password", rest)?;
        let (rest, new_password) = Secret::parse_u8("new password", rest)?;
        let value = Self {
            user,
            current_password,
            new_password,
        };
        Ok((rest, value))
    }
}

impl Encode for ChangePassword {
    fn write(&self, writer: &mut impl Writer) {
        self.user.write_as("user", writer);
        writer.secret_u8(
            "current_password_length",
            "current_password",
            self.current_password.reveal(),
        );
        writer.secret_u8(
            "new_password_length",
            "new_password",
            self.new_password.reveal(),
        );
    }
}

/// A user, as it stands in replies.
///
/// ```text
/// [id u32][created_at u64][status u8][username length u8][username]
/// [options length u32][option]*                                   VSR
/// ```
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0, `responses/users/user_response.rs`.
/// VSR servers before 0.9.0-edge.4 have the classic layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The user's number.
    pub id: u32,
    /// When it was made, in microseconds since 1970.
    pub created_at: u64,
    /// 1 active, 2 inactive.
    pub status: u8,
    /// The name.
    pub username: String,
    /// Settings; `None` in the classic layout.
    pub options: Option<Options>,
}

impl DecodeIn for User {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, id) = reader::u32("user id", input)?;
        let (rest, created_at) = reader::u64("created at", rest)?;
        let (rest, status) = reader::u8("status", rest)?;
        let (rest, username) = reader::name("username", rest)?;
        let (rest, options) = Options::parse_sized(dialect, rest)?;
        let value = Self {
            id,
            created_at,
            status,
            username,
            options,
        };
        Ok((rest, value))
    }
}

impl Encode for User {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("id", self.id);
        writer.u64("created_at", self.created_at);
        writer.kind("status", self.status, status_name(self.status));
        writer.text_u8("username_length", "username", &self.username);
        Options::write_sized(self.options.as_ref(), writer);
    }
}

/// A user and the permissions: the reply to 31 and 33.
///
/// ```text
/// [user][1 u8][permissions length u32][permissions]
/// [user][0 u32]                                        without permissions
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/users/get_user.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserDetails {
    /// The user.
    pub user: User,
    /// What the user may do.
    pub permissions: Option<Permissions>,
}

impl DecodeIn for UserDetails {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, user) = User::parse_in(dialect, input)?;
        let (after_flag, given) = reader::flag("permissions flag", rest)?;
        let (rest, permissions) = if given {
            let (rest, permissions) = Permissions::parse_sized(after_flag)?;
            (rest, Some(permissions))
        } else {
            let (rest, _) = reader::u32("absent permissions", rest)?;
            (rest, None)
        };
        Ok((rest, Self { user, permissions }))
    }
}

impl Encode for UserDetails {
    fn write(&self, writer: &mut impl Writer) {
        self.user.write(writer);
        match &self.permissions {
            Some(permissions) => {
                writer.flag("permissions_given", true);
                permissions.write_sized(writer);
            }
            None => writer.u32("permissions_given", 0),
        }
    }
}

pub(crate) const fn status_name(number: u8) -> &'static str {
    match number {
        1 => "active",
        2 => "inactive",
        _ => "unknown",
    }
}
