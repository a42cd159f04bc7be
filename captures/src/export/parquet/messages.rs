//! The messages of an exchange: a list of structs.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, ListBuilder, StringBuilder, StructBuilder, TimestampNanosecondBuilder,
    UInt64Builder,
};
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use parallax_codec::Request;

use super::columns::UTC;
use crate::exchange::{Content, Exchange};
use crate::json;
use crate::poll::PolledMessage;

pub(super) struct Messages(ListBuilder<StructBuilder>);

impl Messages {
    pub(super) fn new() -> Self {
        let time = || Box::new(TimestampNanosecondBuilder::new().with_timezone(UTC));
        let number = || Box::new(UInt64Builder::new());
        let text = || Box::new(StringBuilder::new());
        let parts: Vec<Box<dyn ArrayBuilder>> =
            vec![number(), text(), time(), time(), number(), number(), text()];
        Self(ListBuilder::new(StructBuilder::new(fields(), parts)))
    }

    pub(super) fn field() -> Field {
        let message = DataType::Struct(fields());
        Field::new("messages", DataType::new_list(message, true), false)
    }

    pub(super) fn count(&self) -> usize {
        self.0.values_ref().len()
    }

    pub(super) fn append(&mut self, exchange: &Exchange) {
        for message in messages(exchange) {
            self.message(&message);
        }
        self.0.append(true);
    }

    /// The lists so far; it is empty then.
    pub(super) fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }

    fn message(&mut self, message: &PolledMessage) {
        let parts = self.0.values();
        let numbers = [
            (0, message.offset),
            (4, message.checksum),
            (5, message.payload_length() as u64),
        ];
        for (place, number) in numbers {
            if let Some(part) = parts.field_builder::<UInt64Builder>(place) {
                part.append_value(number);
            }
        }
        for (place, micros) in [(2, message.timestamp), (3, message.origin_timestamp)] {
            if let Some(part) = parts.field_builder::<TimestampNanosecondBuilder>(place) {
                part.append_option(nanoseconds(micros));
            }
        }
        let headers = json::user_headers(&message.user_headers).to_string();
        for (place, text) in [(1, message.id.to_string()), (6, headers)] {
            if let Some(part) = parts.field_builder::<StringBuilder>(place) {
                part.append_value(text);
            }
        }
        parts.append(true);
    }
}

fn fields() -> Fields {
    let time = || DataType::Timestamp(TimeUnit::Nanosecond, Some(UTC.into()));
    Fields::from(vec![
        Field::new("offset", DataType::UInt64, false),
        Field::new("id", DataType::Utf8, false),
        Field::new("timestamp", time(), true),
        Field::new("origin_timestamp", time(), true),
        Field::new("checksum", DataType::UInt64, false),
        Field::new("payload_length", DataType::UInt64, false),
        Field::new("user_headers", DataType::Utf8, false),
    ])
}

/// Those that were polled, or sent.
fn messages(exchange: &Exchange) -> Vec<PolledMessage> {
    if let Some(answer) = exchange.poll_answer() {
        return answer.messages;
    }
    match &exchange.content {
        Content::Binary(content) => match &content.request {
            Some(Request::SendMessages(sent)) => {
                sent.messages.iter().map(PolledMessage::from).collect()
            }
            _ => Vec::new(),
        },
        Content::Http(_) | Content::Unsolicited(_) => Vec::new(),
    }
}

/// Of microseconds; 0 says that there is no time.
fn nanoseconds(micros: u64) -> Option<i64> {
    let nanoseconds = micros.checked_mul(1_000).filter(|time| *time > 0)?;
    i64::try_from(nanoseconds).ok()
}
