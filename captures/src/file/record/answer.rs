//! Answers to polls. A message that equals one of the client's own reply is that
//! one's place in it, so that an answer which agrees costs a few bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use parallax_codec::messages::{HeaderField, HeaderKind, UserHeader};
use serde::{Deserialize, Serialize};

use super::number;
use crate::poll::{PollAnswer, PolledMessage, UserHeaders};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AnswerRecord {
    partition_id: u32,
    #[serde(with = "number")]
    current_offset: u64,
    count: u32,
    messages: Vec<MessageRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MessageRecord {
    /// The same as the message at this place of the client's reply, from 0.
    Same(usize),
    Other(Box<OtherMessage>),
}

#[derive(Debug, Serialize, Deserialize)]
struct OtherMessage {
    #[serde(with = "number")]
    offset: u64,
    #[serde(with = "number")]
    id: u128,
    #[serde(with = "number")]
    timestamp: u64,
    #[serde(with = "number")]
    origin_timestamp: u64,
    #[serde(with = "number")]
    checksum: u64,
    payload: PayloadRecord,
    payload_left_out: usize,
    user_headers: HeadersRecord,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PayloadRecord {
    /// That of the message at this place of the client's reply.
    Of(usize),
    Base64(String),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HeadersRecord {
    /// Kind and value of the key, kind and value of the value.
    Decoded(Vec<(u8, String, u8, String)>),
    Opaque(String),
}

impl AnswerRecord {
    /// `own` are the messages of the client's reply.
    pub(super) fn of(answer: &PollAnswer, own: &[PolledMessage]) -> Self {
        let messages = answer.messages.iter().enumerate();
        Self {
            partition_id: answer.partition_id,
            current_offset: answer.current_offset,
            count: answer.count,
            messages: messages
                .map(|(place, message)| MessageRecord::of(message, place, own))
                .collect(),
        }
    }

    pub(super) fn read(self, own: &[PolledMessage]) -> Result<PollAnswer, String> {
        let messages = self.messages.into_iter().map(|message| message.read(own));
        Ok(PollAnswer {
            partition_id: self.partition_id,
            current_offset: self.current_offset,
            count: self.count,
            messages: messages.collect::<Result<_, _>>()?,
        })
    }
}

impl MessageRecord {
    fn of(message: &PolledMessage, place: usize, own: &[PolledMessage]) -> Self {
        let beside = own.get(place).filter(|one| one.offset == message.offset);
        let found = || own.iter().position(|one| one.offset == message.offset);
        let place = beside.map_or_else(found, |_| Some(place));
        let twin = place.and_then(|place| Some((place, own.get(place)?)));
        if let Some((place, twin)) = twin
            && twin == message
        {
            return Self::Same(place);
        }
        let payload = match twin {
            Some((place, twin)) if twin.payload == message.payload => PayloadRecord::Of(place),
            _ => PayloadRecord::Base64(STANDARD.encode(&message.payload)),
        };
        Self::Other(Box::new(OtherMessage {
            offset: message.offset,
            id: message.id,
            timestamp: message.timestamp,
            origin_timestamp: message.origin_timestamp,
            checksum: message.checksum,
            payload,
            payload_left_out: message.payload_left_out,
            user_headers: HeadersRecord::of(&message.user_headers),
        }))
    }

    fn read(self, own: &[PolledMessage]) -> Result<PolledMessage, String> {
        let at = |place: usize| {
            own.get(place).ok_or_else(|| {
                format!(
                    "message {place} of the client's reply is named, which has {}",
                    own.len()
                )
            })
        };
        match self {
            Self::Same(place) => at(place).cloned(),
            Self::Other(other) => Ok(PolledMessage {
                offset: other.offset,
                id: other.id,
                timestamp: other.timestamp,
                origin_timestamp: other.origin_timestamp,
                checksum: other.checksum,
                payload: match other.payload {
                    PayloadRecord::Of(place) => at(place)?.payload.clone(),
                    PayloadRecord::Base64(text) => Bytes::from(decoded(&text)?),
                },
                payload_left_out: other.payload_left_out,
                user_headers: other.user_headers.read()?,
            }),
        }
    }
}

impl HeadersRecord {
    fn of(headers: &UserHeaders) -> Self {
        match headers {
            UserHeaders::Decoded(headers) => {
                let header = |one: &UserHeader| {
                    let text = |field: &HeaderField| STANDARD.encode(&field.bytes);
                    let (key, value) = (&one.key, &one.value);
                    (key.kind.0, text(key), value.kind.0, text(value))
                };
                Self::Decoded(headers.iter().map(header).collect())
            }
            UserHeaders::Opaque(bytes) => Self::Opaque(STANDARD.encode(bytes)),
        }
    }

    fn read(self) -> Result<UserHeaders, String> {
        match self {
            Self::Decoded(headers) => {
                let header = |(key_kind, key, kind, value): (u8, String, u8, String)| {
                    let field = |kind: u8, text: &str| {
                        let bytes = decoded(text)?;
                        let kind = HeaderKind(kind);
                        Ok::<_, String>(HeaderField { kind, bytes })
                    };
                    let (key, value) = (field(key_kind, &key)?, field(kind, &value)?);
                    Ok(UserHeader { key, value })
                };
                let headers = headers.into_iter().map(header);
                headers
                    .collect::<Result<_, String>>()
                    .map(UserHeaders::Decoded)
            }
            Self::Opaque(text) => Ok(UserHeaders::Opaque(decoded(&text)?.into())),
        }
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(text).map_err(|error| error.to_string())
}
