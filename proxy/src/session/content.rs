//! A pair of frames, decoded and masked.

use bytes::{BufMut as _, Bytes, BytesMut};
use parallax_captures::{BinaryContent, Undecoded, redaction};
use parallax_codec::classic::{Body, Direction, FRAME_HEADER_SIZE, Frame};
use parallax_codec::{
    DecodeError, Dialect, Encode, Reply, Request, fields_of, reply_may_carry_secrets,
    request_may_carry_secrets, secret_ranges,
};

use crate::credentials::Credentials;

/// What two frames hold.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) content: BinaryContent,
    pub(super) undecoded: Option<Undecoded>,
    /// The login that this asked for, whether or not it succeeded.
    pub(super) login: Option<Login>,
    pub(super) is_logout: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Login {
    pub(super) user: Option<String>,
    pub(super) version: Option<String>,
    pub(super) credentials: Credentials,
}

/// Decodes a request and its reply. Only masked bytes are kept, and what is kept
/// decoded was decoded from those, so that no secret outlives this call but in
/// the login.
pub(super) fn decode(request: &Frame, reply: Option<&Frame>) -> Decoded {
    let code = request.word;
    let asked = Half::read(
        request,
        Direction::ToServer,
        request_may_carry_secrets(code),
        |body| Request::decode(Dialect::Classic, code, body).map(|request| (request, None)),
    );
    let answered = reply.filter(|reply| reply.word == 0).map(|reply| {
        Half::read(
            reply,
            Direction::ToClient,
            reply_may_carry_secrets(code),
            |body| Reply::decode(Dialect::Classic, code, body),
        )
    });
    let refused = reply.filter(|reply| reply.word != 0).map(|reply| {
        let kept = frame_bytes(reply, Direction::ToClient, &reply.body_bytes());
        (kept, unexpected_body(reply))
    });
    let login = match &request.body {
        Body::Whole(body) => Request::decode(Dialect::Classic, code, body)
            .ok()
            .as_ref()
            .and_then(login_of),
        _ => None,
    };
    let is_logout = matches!(asked.value, Some(Request::LogoutUser));
    let (reply_frame, reply_value, reply_fault) = match (answered, refused) {
        (Some(half), _) => (half.frame, half.value, half.undecoded),
        (None, Some((kept, fault))) => (kept, None, fault),
        (None, None) => (Bytes::new(), None, None),
    };
    Decoded {
        content: BinaryContent {
            code,
            request_frame: asked.frame,
            request: asked.value,
            status: reply.map(|reply| reply.word),
            reply_frame,
            reply: reply_value,
        },
        undecoded: asked.undecoded.or(reply_fault),
        login,
        is_logout,
    }
}

/// One frame: kept bytes, decoded value, and what could not be decoded.
struct Half<T> {
    frame: Bytes,
    value: Option<T>,
    undecoded: Option<Undecoded>,
}

impl<T: Encode> Half<T> {
    fn read(
        frame: &Frame,
        direction: Direction,
        may_carry_secrets: bool,
        decode: impl Fn(&Bytes) -> Result<(T, Option<DecodeError>), DecodeError>,
    ) -> Self {
        let undecoded = |why: String, at: u64| Some(Undecoded { why, at, direction });
        let body_start = frame.start + FRAME_HEADER_SIZE as u64;
        let fault_at =
            |error: &DecodeError| undecoded(error.to_string(), body_start + error.at as u64);
        let whole = match &frame.body {
            Body::Whole(body) => body,
            Body::Oversized { prefix } => {
                let why = format!(
                    "a body of {} bytes is longer than is looked at; it was forwarded whole",
                    frame.body_length
                );
                let kept = if may_carry_secrets {
                    Bytes::new()
                } else {
                    prefix.clone()
                };
                return Self {
                    frame: frame_bytes(frame, direction, &kept),
                    value: None,
                    undecoded: undecoded(why, body_start),
                };
            }
            Body::Malformed { length } => {
                let why = format!(
                    "the length {length} is below the 4 bytes of the code that it counts; \
                     it was stepped over as a server does"
                );
                return Self {
                    frame: frame_bytes(frame, direction, &[]),
                    value: None,
                    undecoded: undecoded(why, frame.start),
                };
            }
        };
        // What is kept is a copy of its own, which pins no larger buffer.
        let kept = if may_carry_secrets {
            let secrets = match decode(whole) {
                Ok((value, _)) => secret_ranges(&fields_of(&value, 0)),
                // All of it.
                Err(_) => std::iter::once(0..whole.len()).collect(),
            };
            frame_bytes(frame, direction, &redaction::masked(whole, &secrets))
        } else {
            frame_bytes(frame, direction, whole)
        };
        let (value, fault) = match decode(&kept.slice(FRAME_HEADER_SIZE..)) {
            Ok((value, fault)) => (Some(value), fault),
            Err(error) => (None, Some(error)),
        };
        Self {
            frame: kept,
            value,
            undecoded: fault.as_ref().and_then(fault_at),
        }
    }
}

/// The frame as it is kept: header and (masked) body in one buffer of its own.
fn frame_bytes(frame: &Frame, direction: Direction, body: &[u8]) -> Bytes {
    let mut kept = BytesMut::with_capacity(FRAME_HEADER_SIZE + body.len());
    kept.put_slice(&frame.header(direction));
    kept.put_slice(body);
    kept.freeze()
}

/// An error reply has no body on any known server (cases, section 0).
fn unexpected_body(reply: &Frame) -> Option<Undecoded> {
    (reply.body_length > 0).then(|| Undecoded {
        why: format!(
            "an error reply has {} bytes of body, where no known server sends any",
            reply.body_length
        ),
        at: reply.start + FRAME_HEADER_SIZE as u64,
        direction: Direction::ToClient,
    })
}

fn login_of(request: &Request) -> Option<Login> {
    match request {
        Request::LoginUser(login) => Some(Login {
            user: Some(login.username.clone()),
            version: client_version(login.version.as_deref(), login.context.as_deref()),
            credentials: Credentials::Password {
                username: login.username.clone(),
                password: login.password.reveal().to_owned(),
            },
        }),
        Request::LoginWithPersonalAccessToken(login) => Some(Login {
            user: None,
            version: None,
            credentials: Credentials::Token(login.token.reveal().to_owned()),
        }),
        _ => None,
    }
}

fn client_version(version: Option<&str>, context: Option<&str>) -> Option<String> {
    let parts: Vec<_> = [version, context].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
