//! The API's document, and whether an answer is as it says.

use std::collections::BTreeSet;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::{Value, json};

/// The document, strict: a field that it does not name is a mistake.
pub(crate) struct Document(Value);

impl Document {
    pub(crate) fn strict(mut document: Value) -> Self {
        close(&mut document["components"]["schemas"]);
        Self(document)
    }

    /// What an answer to a GET of `path` must look like.
    pub(crate) fn answer(&self, path: &str, status: u16) -> Described {
        let content = self.content(path, status);
        assert!(content.is_object(), "{status} of {path} is not described");
        let mut schema = content.clone();
        schema["components"] = self.0["components"].clone();
        let options = jsonschema::options().with_draft(Draft::Draft202012);
        Described(options.build(&schema).unwrap())
    }

    /// The paths that are answered in JSON.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &String> {
        let paths = self.0["paths"].as_object().unwrap().keys();
        paths.filter(|path| self.content(path, 200).is_object())
    }

    fn content(&self, path: &str, status: u16) -> &Value {
        let response = &self.0["paths"][path]["get"]["responses"][status.to_string()];
        &response["content"]["application/json"]["schema"]
    }
}

/// What an answer must look like.
pub(crate) struct Described(Validator);

impl Described {
    /// # Panics
    /// It does not; with what is wrong, once each, and the path in the document.
    pub(crate) fn must_fit(&self, value: &Value, what: &str) {
        let mistakes = self.0.iter_errors(value).flat_map(|one| plainly(&one));
        let mistakes: BTreeSet<_> = mistakes.collect();
        let mistakes: Vec<_> = mistakes.into_iter().collect();
        assert!(mistakes.is_empty(), "{what}:\n{}", mistakes.join("\n"));
    }
}

/// Lets no object have fields that its schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.contains_key("properties") && !fields.contains_key("additionalProperties") {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(all) => all.iter_mut().for_each(close),
        _ => {}
    }
}

/// What is wrong and where in the document, without the value; of alternatives what is
/// wrong with each.
fn plainly(mistake: &ValidationError<'_>) -> Vec<String> {
    match mistake.kind() {
        ValidationErrorKind::OneOfNotValid { context } | ValidationErrorKind::AnyOf { context } => {
            context.iter().flatten().flat_map(plainly).collect()
        }
        _ => vec![format!("{}: {}", mistake.schema_path(), mistake.masked())],
    }
}
