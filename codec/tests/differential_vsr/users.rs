use iggy_binary_protocol::codec::WireEncode as _;
use iggy_binary_protocol::requests::users::{
    ChangePasswordRequest, CreateUserRequest, DeleteUserRequest, GetUserRequest, GetUsersRequest,
    LoginUserRequest, LogoutUserRequest, UpdatePermissionsRequest, UpdateUserRequest,
};
use iggy_binary_protocol::responses::users::{
    GetUsersResponse, IdentityResponse, UserDetailsResponse, UserResponse,
};
use iggy_binary_protocol::{WireGlobalPermissions, WirePermissions};
use parallax_codec::commands::{
    ChangePassword, CreateUser, Identity, LoginUser, UpdatePermissions, UpdateUser, User,
    UserDetails, UserRef,
};
use parallax_codec::primitives::{Permissions, Secret};
use parallax_codec::{Reply, Request, code};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::options::{options, wire_options};
use crate::support::{
    assert_hidden, assert_same_reply, assert_same_request, identifier, name, secret,
    wire_identifier, wire_name,
};

/// Those of single streams and topics are compared for the classic crate, and the
/// layout is the same.
fn permissions() -> impl Strategy<Value = Permissions> {
    any::<[bool; 10]>().prop_map(|global| Permissions {
        global,
        streams: Vec::new(),
    })
}

fn wire_permissions(permissions: &Permissions) -> WirePermissions {
    let granted = permissions.global;
    WirePermissions {
        global: WireGlobalPermissions {
            manage_servers: granted[0],
            read_servers: granted[1],
            manage_users: granted[2],
            read_users: granted[3],
            manage_streams: granted[4],
            read_streams: granted[5],
            manage_topics: granted[6],
            read_topics: granted[7],
            poll_messages: granted[8],
            send_messages: granted[9],
        },
        streams: Vec::new(),
    }
}

fn user() -> impl Strategy<Value = User> {
    (any::<(u32, u64, u8)>(), name(), options()).prop_map(|(numbers, username, options)| User {
        id: numbers.0,
        created_at: numbers.1,
        status: numbers.2,
        username,
        options: Some(options),
    })
}

fn wire_user(user: &User) -> UserResponse {
    UserResponse {
        id: user.id,
        created_at: user.created_at,
        status: user.status,
        username: wire_name(&user.username),
        options: wire_options(user.options.as_ref().unwrap()),
    }
}

proptest! {
    #[test]
    fn requests_about_users_are_theirs(
        user in identifier(),
        username in option::of(name()),
        status: Option<u8>,
        permissions in option::of(permissions()),
        options in options(),
    ) {
        let user_id = wire_identifier(&user);
        let named = UserRef { user: user.clone() };
        assert_same_request(
            code::GET_USER,
            &GetUserRequest { user_id: user_id.clone() },
            &Request::GetUser(named.clone()),
        );
        assert_same_request(
            code::DELETE_USER,
            &DeleteUserRequest { user_id: user_id.clone() },
            &Request::DeleteUser(named),
        );
        assert_same_request(code::GET_USERS, &GetUsersRequest, &Request::GetUsers);
        assert_same_request(code::LOGOUT_USER, &LogoutUserRequest, &Request::LogoutUser);
        assert_same_request(
            code::UPDATE_USER,
            &UpdateUserRequest {
                user_id: user_id.clone(),
                username: username.as_deref().map(wire_name),
                status,
                options: wire_options(&options),
            },
            &Request::UpdateUser(UpdateUser {
                user: user.clone(),
                username,
                status,
                options: Some(options),
            }),
        );
        assert_same_request(
            code::UPDATE_PERMISSIONS,
            &UpdatePermissionsRequest {
                user_id,
                permissions: permissions.as_ref().map(wire_permissions),
            },
            &Request::UpdatePermissions(UpdatePermissions { user, permissions }),
        );
    }

    #[test]
    fn a_new_user_is_theirs_and_hides_the_password(
        username in name(),
        password in secret(),
        status: u8,
        permissions in option::of(permissions()),
        options in options(),
    ) {
        let theirs = CreateUserRequest {
            username: wire_name(&username),
            password: password.clone(),
            status,
            permissions: permissions.as_ref().map(wire_permissions),
            options: wire_options(&options),
        };
        let ours = Request::CreateUser(CreateUser {
            username,
            password: Secret::new(password.clone()),
            status,
            permissions,
            options: Some(options),
        });
        assert_same_request(code::CREATE_USER, &theirs, &ours);
        assert_hidden(&[&password], &theirs.to_bytes(), &ours.fields(0), &format!("{ours:?}"));
    }

    #[test]
    fn a_changed_password_and_the_old_login_are_theirs(
        user in identifier(),
        username in name(),
        passwords in (secret(), secret()),
        version in option::of("[0-9.]{1,9}"),
    ) {
        let theirs = ChangePasswordRequest {
            user_id: wire_identifier(&user),
            current_password: passwords.0.clone(),
            new_password: passwords.1.clone(),
        };
        let ours = Request::ChangePassword(ChangePassword {
            user,
            current_password: Secret::new(passwords.0.clone()),
            new_password: Secret::new(passwords.1),
        });
        assert_same_request(code::CHANGE_PASSWORD, &theirs, &ours);
        let theirs = LoginUserRequest {
            username: wire_name(&username),
            password: passwords.0.clone(),
            version: version.clone(),
            context: None,
        };
        let ours = Request::LoginUser(LoginUser {
            username,
            password: Secret::new(passwords.0),
            version,
            context: None,
        });
        assert_same_request(code::LOGIN_USER, &theirs, &ours);
    }

    #[test]
    fn users_are_theirs(
        user in user(),
        permissions in option::of(permissions()),
        users in vec(user(), 0..4),
        user_id: u32,
    ) {
        let theirs = UserDetailsResponse {
            user: wire_user(&user),
            permissions: permissions.as_ref().map(wire_permissions),
        };
        let ours = Reply::User(UserDetails { user, permissions });
        assert_same_reply(&[code::GET_USER, code::CREATE_USER], &theirs, &ours);
        let theirs = GetUsersResponse { users: users.iter().map(wire_user).collect() };
        assert_same_reply(&[code::GET_USERS], &theirs, &Reply::Users(users));
        assert_same_reply(
            &[code::LOGIN_USER],
            &IdentityResponse { user_id },
            &Reply::Identity(Identity { user_id }),
        );
    }
}
