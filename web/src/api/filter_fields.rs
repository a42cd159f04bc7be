use axum::Json;
use axum::extract::Query;
use parallax_captures::filter::{FIELDS, FieldEntry};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::asked::{Nothing, Pairs, query};
use crate::problem::ApiProblem;

/// What a filter expression can name
///
/// The usual fields. Any other field of a request, a response or a comparison can be named
/// by its path in the JSON of an exchange.
#[utoipa::path(
    get,
    path = "/filter/fields",
    responses((status = OK, description = "The fields.", body = Fields)),
)]
pub(super) async fn filter_fields(Query(asked): Pairs) -> Result<Json<Value>, ApiProblem> {
    query::<Nothing>(asked)?;
    let fields: Vec<_> = FIELDS.iter().map(FieldEntry::json).collect();
    Ok(Json(json!({ "fields": fields })))
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Fields {
    /// Every field that has a name of its own.
    fields: Vec<FilterField>,
}

/// A field that an expression can name.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct FilterField {
    /// Its path in the JSON of an exchange.
    name: String,
    /// A shorter name for the same.
    #[schema(required)]
    short: Option<String>,
    /// What its values are.
    r#type: String,
    /// The values, where they are those of a closed list.
    #[schema(required)]
    words: Option<Vec<String>>,
    /// What it is.
    meaning: String,
    /// A condition on it.
    example: String,
}
