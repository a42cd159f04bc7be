use iggy_binary_protocol::codec::WireEncode as _;
use iggy_binary_protocol::requests::users::{
    ChangePasswordRequest, CreateUserRequest, DeleteUserRequest, GetUserRequest, GetUsersRequest,
    LoginUserRequest, LogoutUserRequest, UpdatePermissionsRequest, UpdateUserRequest,
};
use iggy_binary_protocol::responses::users::{
    GetUsersResponse, IdentityResponse, UserDetailsResponse, UserResponse,
};
use iggy_binary_protocol::{
    WireGlobalPermissions, WirePermissions, WireStreamPermissions, WireTopicPermissions,
};
use parallax_codec::commands::{
    ChangePassword, CreateUser, Identity, LoginUser, UpdatePermissions, UpdateUser, User,
    UserDetails, UserRef,
};
use parallax_codec::primitives::{Permissions, Secret, StreamPermissions, TopicPermissions};
use parallax_codec::{Reply, Request, code};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::support::{
    assert_hidden, assert_same_reply, assert_same_request, identifier, name, secret,
    wire_identifier, wire_name,
};

fn permissions() -> impl Strategy<Value = Permissions> {
    let topic = any::<(u32, [bool; 4])>()
        .prop_map(|(topic_id, granted)| TopicPermissions { topic_id, granted });
    let stream = (any::<u32>(), any::<[bool; 6]>(), vec(topic, 0..3)).prop_map(
        |(stream_id, granted, topics)| StreamPermissions {
            stream_id,
            granted,
            topics,
        },
    );
    (any::<[bool; 10]>(), vec(stream, 0..3))
        .prop_map(|(global, streams)| Permissions { global, streams })
}

fn granted(names: &[&str], granted: &[bool], wanted: &str) -> bool {
    granted[names.iter().position(|name| *name == wanted).unwrap()]
}

fn wire_permissions(permissions: &Permissions) -> WirePermissions {
    let global = |name| granted(&Permissions::GLOBAL, &permissions.global, name);
    WirePermissions {
        global: WireGlobalPermissions {
            manage_servers: global("manage_servers"),
            read_servers: global("read_servers"),
            manage_users: global("manage_users"),
            read_users: global("read_users"),
            manage_streams: global("manage_streams"),
            read_streams: global("read_streams"),
            manage_topics: global("manage_topics"),
            read_topics: global("read_topics"),
            poll_messages: global("poll_messages"),
            send_messages: global("send_messages"),
        },
        streams: permissions.streams.iter().map(wire_stream).collect(),
    }
}

fn wire_stream(stream: &StreamPermissions) -> WireStreamPermissions {
    let granted = |name| granted(&Permissions::STREAM, &stream.granted, name);
    WireStreamPermissions {
        stream_id: stream.stream_id,
        manage_stream: granted("manage_stream"),
        read_stream: granted("read_stream"),
        manage_topics: granted("manage_topics"),
        read_topics: granted("read_topics"),
        poll_messages: granted("poll_messages"),
        send_messages: granted("send_messages"),
        topics: stream.topics.iter().map(wire_topic).collect(),
    }
}

fn wire_topic(topic: &TopicPermissions) -> WireTopicPermissions {
    let granted = |name| granted(&Permissions::TOPIC, &topic.granted, name);
    WireTopicPermissions {
        topic_id: topic.topic_id,
        manage_topic: granted("manage_topic"),
        read_topic: granted("read_topic"),
        poll_messages: granted("poll_messages"),
        send_messages: granted("send_messages"),
    }
}

fn user() -> impl Strategy<Value = User> {
    (any::<(u32, u64, u8)>(), name()).prop_map(|(numbers, username)| User {
        id: numbers.0,
        created_at: numbers.1,
        status: numbers.2,
        username,
        options: None,
    })
}

fn wire_user(user: &User) -> UserResponse {
    UserResponse {
        id: user.id,
        created_at: user.created_at,
        status: user.status,
        username: wire_name(&user.username),
    }
}

proptest! {
    #[test]
    fn a_login_is_theirs_and_hides_the_password(
        username in name(),
        password in prop_oneof![9 => secret(), 1 => Just(String::new())],
        version in option::of("[a-z0-9.]{0,20}"),
        context in option::of("[ -~]{0,300}"),
    ) {
        let theirs = LoginUserRequest {
            username: wire_name(&username),
            password: password.clone(),
            version: version.clone(),
            context: context.clone(),
        };
        let ours = Request::LoginUser(LoginUser {
            username,
            password: Secret::new(password.clone()),
            version: version.filter(|text| !text.is_empty()),
            context: context.filter(|text| !text.is_empty()),
        });
        assert_same_request(code::LOGIN_USER, &theirs, &ours);
        assert_hidden(&[&password], &theirs.to_bytes(), &ours.fields(0), &format!("{ours:?}"));
    }

    #[test]
    fn a_new_user_is_theirs_and_hides_the_password(
        username in name(),
        password in secret(),
        status: u8,
        permissions in option::of(permissions()),
    ) {
        let theirs = CreateUserRequest {
            username: wire_name(&username),
            password: password.clone(),
            status,
            permissions: permissions.as_ref().map(wire_permissions),
        };
        let ours = Request::CreateUser(CreateUser {
            username,
            password: Secret::new(password.clone()),
            status,
            permissions,
            options: None,
        });
        assert_same_request(code::CREATE_USER, &theirs, &ours);
        assert_hidden(&[&password], &theirs.to_bytes(), &ours.fields(0), &format!("{ours:?}"));
    }

    #[test]
    fn a_change_of_password_is_theirs_and_hides_both(
        user in identifier(),
        current in secret(),
        new in secret(),
    ) {
        let theirs = ChangePasswordRequest {
            user_id: wire_identifier(&user),
            current_password: current.clone(),
            new_password: new.clone(),
        };
        let ours = Request::ChangePassword(ChangePassword {
            user,
            current_password: Secret::new(current.clone()),
            new_password: Secret::new(new.clone()),
        });
        assert_same_request(code::CHANGE_PASSWORD, &theirs, &ours);
        assert_hidden(&[&current, &new], &theirs.to_bytes(), &ours.fields(0), &format!("{ours:?}"));
    }

    #[test]
    fn other_requests_about_users_are_theirs(
        user in identifier(),
        username in option::of(name()),
        status: Option<u8>,
        permissions in option::of(permissions()),
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
        assert_same_request(
            code::UPDATE_USER,
            &UpdateUserRequest {
                user_id: user_id.clone(),
                username: username.as_deref().map(wire_name),
                status,
            },
            &Request::UpdateUser(UpdateUser {
                user: user.clone(),
                username,
                status,
                options: None,
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
        assert_same_request(code::GET_USERS, &GetUsersRequest, &Request::GetUsers);
        assert_same_request(code::LOGOUT_USER, &LogoutUserRequest, &Request::LogoutUser);
    }

    #[test]
    fn replies_about_users_are_theirs(
        users in vec(user(), 1..4),
        permissions in option::of(permissions()),
        user_id: u32,
    ) {
        let theirs = UserDetailsResponse {
            user: wire_user(&users[0]),
            permissions: permissions.as_ref().map(wire_permissions),
        };
        let ours = Reply::User(UserDetails { user: users[0].clone(), permissions });
        assert_same_reply(&[code::GET_USER, code::CREATE_USER], &theirs, &ours);
        let theirs = GetUsersResponse { users: users.iter().map(wire_user).collect() };
        assert_same_reply(&[code::GET_USERS], &theirs, &Reply::Users(users));
        assert_same_reply(
            &[code::LOGIN_USER, code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN],
            &IdentityResponse { user_id },
            &Reply::Identity(Identity { user_id }),
        );
    }
}
