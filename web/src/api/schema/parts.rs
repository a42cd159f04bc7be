use utoipa::ToSchema;

use super::poll::Message;

/// When everything of an exchange happened.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Times {
    /// The exchange's number.
    n: u64,
    /// Everything that happened, the client's request first.
    moments: Vec<MomentOfExchange>,
}

/// Something that happened.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct MomentOfExchange {
    /// What.
    what: String,
    /// When; `null` where that is not known.
    #[schema(required, format = DateTime)]
    time: Option<String>,
}

/// A message with its payload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct WholeMessage {
    /// The message.
    message: Message,
    /// The payload, in hex.
    #[schema(pattern = "^([0-9a-f]{2})*$")]
    payload_hex: String,
    /// The payload as text, where it is UTF-8.
    #[schema(required)]
    payload_text: Option<String>,
}
