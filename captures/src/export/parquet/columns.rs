//! The columns but for the messages.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, ListBuilder, StringBuilder, TimestampNanosecondBuilder,
    UInt32Builder, UInt64Builder,
};
use arrow_schema::{DataType, Field, TimeUnit};
use serde_json::Value;

use crate::connection::Connection;
use crate::exchange::Exchange;
use crate::export::COLUMNS;

/// UTC, as Arrow's types name it.
pub(super) const UTC: &str = "UTC";

pub(super) struct Columns {
    source: StringBuilder,
    client: StringBuilder,
    server: StringBuilder,
    time: TimestampNanosecondBuilder,
    others: Vec<Column>,
}

/// A column that is told by a path into the JSON.
struct Column {
    path: &'static str,
    values: Values,
}

enum Values {
    Text(StringBuilder),
    U32(UInt32Builder),
    U64(UInt64Builder),
    Flag(BooleanBuilder),
    Texts(ListBuilder<StringBuilder>),
}

impl Columns {
    pub(super) fn new() -> Self {
        let told_apart = |path: &&&str| **path != "time";
        let others = COLUMNS.iter().filter(told_apart).map(|path| Column {
            path,
            values: Values::of(path),
        });
        Self {
            source: StringBuilder::new(),
            client: StringBuilder::new(),
            server: StringBuilder::new(),
            time: TimestampNanosecondBuilder::new().with_timezone(UTC),
            others: others.collect(),
        }
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        let time = DataType::Timestamp(TimeUnit::Nanosecond, Some(UTC.into()));
        let mut fields = vec![
            Field::new("source", DataType::Utf8, false),
            Field::new("client", DataType::Utf8, true),
            Field::new("server", DataType::Utf8, true),
            Field::new("time", time, true),
        ];
        fields.extend(self.others.iter().map(|column| {
            let is_always_there = matches!(column.path, "n" | "conn" | "dialect" | "command");
            let name = column.path.replace('.', "_");
            Field::new(name, column.values.data_type(), !is_always_there)
        }));
        fields
    }

    pub(super) fn rows(&self) -> usize {
        self.source.len()
    }

    pub(super) fn append(
        &mut self,
        source: &str,
        exchange: &Exchange,
        connection: Option<&Connection>,
        value: &Value,
    ) {
        self.source.append_value(source);
        let end = |end: fn(&Connection) -> String| connection.map(end);
        self.client.append_option(end(|one| one.client.to_string()));
        self.server.append_option(end(|one| one.server.to_string()));
        let time = exchange.times.request_first.as_nanosecond();
        self.time.append_option(i64::try_from(time).ok());
        for column in &mut self.others {
            let path = column.path.split('.');
            column
                .values
                .append(path.fold(value, |value, name| &value[name]));
        }
    }

    /// The rows so far; it is empty then.
    pub(super) fn finish(&mut self) -> Vec<ArrayRef> {
        let mut arrays: Vec<ArrayRef> = vec![
            Arc::new(self.source.finish()),
            Arc::new(self.client.finish()),
            Arc::new(self.server.finish()),
            Arc::new(self.time.finish()),
        ];
        arrays.extend(self.others.iter_mut().map(|column| column.values.finish()));
        arrays
    }
}

impl Values {
    fn of(path: &str) -> Self {
        match path {
            "n"
            | "conn"
            | "latency_us"
            | "bytes"
            | "request.value"
            | "request.offset"
            | "response.current_offset"
            | "response.stored_offset" => Self::U64(UInt64Builder::new()),
            "code"
            | "status"
            | "request.partition_id"
            | "request.count"
            | "response.partition_id"
            | "response.count"
            | "response.http_status" => Self::U32(UInt32Builder::new()),
            "request.auto_commit" | "verdict_muted" | "marked" => Self::Flag(BooleanBuilder::new()),
            "findings" | "muted_findings" => Self::Texts(ListBuilder::new(StringBuilder::new())),
            _ => Self::Text(StringBuilder::new()),
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Text(_) => DataType::Utf8,
            Self::U32(_) => DataType::UInt32,
            Self::U64(_) => DataType::UInt64,
            Self::Flag(_) => DataType::Boolean,
            Self::Texts(_) => DataType::new_list(DataType::Utf8, true),
        }
    }

    fn append(&mut self, value: &Value) {
        match self {
            Self::Text(texts) => texts.append_option(text(value)),
            Self::U32(numbers) => {
                numbers.append_option(number(value).and_then(|number| number.try_into().ok()));
            }
            Self::U64(numbers) => numbers.append_option(number(value)),
            Self::Flag(flags) => flags.append_option(value.as_bool()),
            Self::Texts(lists) => {
                let texts = value.as_array().into_iter().flatten();
                lists.append_value(texts.map(text));
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(texts) => Arc::new(texts.finish()),
            Self::U32(numbers) => Arc::new(numbers.finish()),
            Self::U64(numbers) => Arc::new(numbers.finish()),
            Self::Flag(flags) => Arc::new(flags.finish()),
            Self::Texts(lists) => Arc::new(lists.finish()),
        }
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Numbers that JavaScript would round are strings in JSON.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
