//! What of a query is understood: what the document says of it, and nothing else.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query};
use serde_json::Value;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::problem::Problem;
use crate::view::exchange::no_number;

/// A query's pairs, in order.
pub(crate) type Pairs = Query<Vec<(String, String)>>;

/// The exchange's number, and what else of it an address names.
///
/// # Errors
/// It is no text.
pub(crate) fn of_exchange<T>(path: Result<Path<T>, PathRejection>) -> Result<T, Problem> {
    let Path(named) = path.map_err(|_| no_number())?;
    Ok(named)
}

/// The pairs, where each is one of `P` and stands there once with a value.
///
/// # Errors
/// Which is not, and which there are.
pub(crate) fn query<P: IntoParams>(
    pairs: Vec<(String, String)>,
) -> Result<Vec<(String, String)>, Problem> {
    let known = P::into_params(|| Some(ParameterIn::Query));
    let known: Vec<_> = known
        .iter()
        .map(|parameter| parameter.name.as_str())
        .collect();
    for (at, (name, value)) in pairs.iter().enumerate() {
        if !known.contains(&name.as_str()) {
            return Err(Problem::unknown_parameter(name, &known));
        }
        if value.is_empty() {
            let what = format!("{name} has no value: give it one, or leave it out.");
            return Err(Problem::bad_query(what));
        }
        if pairs[..at].iter().any(|(before, _)| before == name) {
            return Err(Problem::bad_query(format!(
                "{name} is given more than once."
            )));
        }
    }
    Ok(pairs)
}

/// No parameters.
#[derive(Debug)]
pub(crate) struct Nothing;

impl IntoParams for Nothing {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        Vec::new()
    }
}

/// A parameter's type that has no more than a schema: what is asked is read by hand. To be
/// used with `#[param(inline, nullable = false)]`.
macro_rules! parameter {
    ($name:ident, $schema:expr) => {
        struct $name;

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $schema
            }
        }

        impl utoipa::ToSchema for $name {}
    };
}
pub(crate) use parameter;

/// A parameter that is 1 or absent.
pub(crate) struct Switch;

impl PartialSchema for Switch {
    fn schema() -> RefOr<Schema> {
        words(["1"])
    }
}

impl ToSchema for Switch {}

/// A parameter that is one of a few words.
pub(crate) fn words<W: Into<Value>>(words: impl IntoIterator<Item = W>) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String);
    let words = words.into_iter().map(Into::into);
    object.enum_values(Some(words)).into()
}
