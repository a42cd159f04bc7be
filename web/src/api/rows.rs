//! Where the exchanges that a figure counts are listed.

use serde_json::{Value, json};

use super::ROOT;
use crate::filter::Filter;

/// How many exchanges are kept, and where they are listed.
pub(super) fn rows(filter: &Filter, count: u64) -> Value {
    json!({ "count": count, "rows": rows_of(filter) })
}

/// The address of the list.
pub(super) fn rows_of(filter: &Filter) -> String {
    format!("{ROOT}/exchanges{}", filter.query())
}
