//! Values that are more than a number or a text.

use std::borrow::Cow;

use utoipa::openapi::schema::{AnyOfBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// Exact, however large.
pub(crate) struct Number;

impl PartialSchema for Number {
    fn schema() -> RefOr<Schema> {
        let digits = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[0-9]+$"));
        let either = AnyOfBuilder::new().item(whole()).item(digits);
        let what = "A whole number; a string of its digits where JavaScript would round it.";
        either.description(Some(what)).into()
    }
}

impl ToSchema for Number {
    fn name() -> Cow<'static, str> {
        "Number".into()
    }
}

/// What a stream, a topic or a consumer is called.
pub(crate) struct Identifier;

impl PartialSchema for Identifier {
    fn schema() -> RefOr<Schema> {
        let what = "A number, or a name: the name \"7\" and the number 7 are two things.";
        number_or_text(what)
    }
}

impl ToSchema for Identifier {
    fn name() -> Cow<'static, str> {
        "Identifier".into()
    }
}

/// The partition that an answer names.
pub(crate) struct PartitionAnswered;

impl PartialSchema for PartitionAnswered {
    fn schema() -> RefOr<Schema> {
        number_or_text("A partition's number; or what stands in the place of one, by its meaning.")
    }
}

impl ToSchema for PartitionAnswered {
    fn name() -> Cow<'static, str> {
        "PartitionAnswered".into()
    }
}

fn number_or_text(what: &str) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String);
    let either = AnyOfBuilder::new().item(whole()).item(text);
    either.description(Some(what)).into()
}

fn whole() -> ObjectBuilder {
    let number = ObjectBuilder::new().schema_type(Type::Integer);
    number.minimum(Some(0))
}

/// One of these, or an object with the fields of what it is.
pub(super) fn any_object_or(names: &[Cow<'static, str>], what: &str) -> RefOr<Schema> {
    let known = names.iter().fold(AnyOfBuilder::new(), |all, name| {
        all.item(Ref::from_schema_name(name.as_ref()))
    });
    let object = ObjectBuilder::new()
        .schema_type(Type::Object)
        .additional_properties(Some(
            utoipa::openapi::schema::AdditionalProperties::FreeForm(true),
        ));
    known.item(object).description(Some(what)).into()
}
