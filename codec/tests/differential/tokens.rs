use iggy_binary_protocol::codec::WireEncode as _;
use iggy_binary_protocol::requests::personal_access_tokens::{
    CreatePersonalAccessTokenRequest, DeletePersonalAccessTokenRequest,
    GetPersonalAccessTokensRequest, LoginWithPersonalAccessTokenRequest,
};
use iggy_binary_protocol::responses::personal_access_tokens::{
    GetPersonalAccessTokensResponse, PersonalAccessTokenResponse, RawPersonalAccessTokenResponse,
};
use parallax_codec::commands::{
    CreatePersonalAccessToken, DeletePersonalAccessToken, LoginWithPersonalAccessToken,
    PersonalAccessToken, RawPersonalAccessToken,
};
use parallax_codec::primitives::Secret;
use parallax_codec::{Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::{
    assert_hidden, assert_same_reply, assert_same_request, name, secret, wire_name,
};

proptest! {
    #[test]
    fn requests_about_tokens_are_theirs(name in name(), expiry: u64) {
        assert_same_request(
            code::CREATE_PERSONAL_ACCESS_TOKEN,
            &CreatePersonalAccessTokenRequest { name: wire_name(&name), expiry },
            &Request::CreatePersonalAccessToken(CreatePersonalAccessToken {
                name: name.clone(),
                expiry,
            }),
        );
        assert_same_request(
            code::DELETE_PERSONAL_ACCESS_TOKEN,
            &DeletePersonalAccessTokenRequest { name: wire_name(&name) },
            &Request::DeletePersonalAccessToken(DeletePersonalAccessToken { name }),
        );
        assert_same_request(
            code::GET_PERSONAL_ACCESS_TOKENS,
            &GetPersonalAccessTokensRequest,
            &Request::GetPersonalAccessTokens,
        );
    }

    #[test]
    fn a_login_by_token_is_theirs_and_hides_the_token(token in secret()) {
        let theirs = LoginWithPersonalAccessTokenRequest { token: wire_name(&token) };
        let ours = Request::LoginWithPersonalAccessToken(LoginWithPersonalAccessToken {
            token: Secret::new(token.clone()),
        });
        assert_same_request(code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN, &theirs, &ours);
        assert_hidden(&[&token], &theirs.to_bytes(), &ours.fields(0), &format!("{ours:?}"));
    }

    #[test]
    fn a_new_token_is_theirs_and_hidden(token in secret()) {
        let theirs = RawPersonalAccessTokenResponse { token: wire_name(&token) };
        let ours = Reply::RawPersonalAccessToken(RawPersonalAccessToken {
            token: Secret::new(token.clone()),
        });
        assert_same_reply(&[code::CREATE_PERSONAL_ACCESS_TOKEN], &theirs, &ours);
        assert_hidden(&[&token], &theirs.to_bytes(), &ours.fields(0), &format!("{ours:?}"));
    }

    #[test]
    fn a_list_of_tokens_is_theirs(tokens in vec((name(), any::<u64>()), 0..5)) {
        let theirs = GetPersonalAccessTokensResponse {
            tokens: tokens
                .iter()
                .map(|(name, expiry_at)| PersonalAccessTokenResponse {
                    name: wire_name(name),
                    expiry_at: *expiry_at,
                })
                .collect(),
        };
        let ours = tokens
            .into_iter()
            .map(|(name, expiry_at)| PersonalAccessToken { name, expiry_at })
            .collect();
        let ours = Reply::PersonalAccessTokens(ours);
        assert_same_reply(&[code::GET_PERSONAL_ACCESS_TOKENS], &theirs, &ours);
    }
}
