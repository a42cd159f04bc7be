//! What `/api/v1/openapi.json` says is what is answered.

use std::collections::BTreeSet;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, ValidationError, Validator};
use parallax_web::limits::EXCHANGES_AT_ONCE;
use serde_json::{Value, json};

use crate::http::Page;
use crate::sample;

/// The document, strict: a field that it does not name is a mistake.
struct Document(Value);

impl Document {
    async fn of(page: &Page) -> Self {
        let mut document = page.json("/api/v1/openapi.json").await;
        close(&mut document["components"]["schemas"]);
        Self(document)
    }

    /// What an answer to a GET of `path` must look like.
    fn answer(&self, path: &str, status: u16) -> Validator {
        let response = &self.0["paths"][path]["get"]["responses"][status.to_string()];
        let content = &response["content"]["application/json"]["schema"];
        assert!(content.is_object(), "{status} of {path} is not described");
        let mut schema = content.clone();
        schema["components"] = self.0["components"].clone();
        let options = jsonschema::options().with_draft(Draft::Draft202012);
        options.build(&schema).unwrap()
    }

    fn paths(&self) -> impl Iterator<Item = &String> {
        self.0["paths"].as_object().unwrap().keys()
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

fn must_fit(validator: &Validator, value: &Value, what: &str) {
    let mistakes = validator.iter_errors(value).flat_map(|one| plainly(&one));
    let mistakes: BTreeSet<_> = mistakes.collect();
    let mistakes: Vec<_> = mistakes.into_iter().collect();
    assert!(mistakes.is_empty(), "{what}:\n{}", mistakes.join("\n"));
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

/// What of the sample to ask a path for.
fn addresses(path: &str) -> Vec<String> {
    match path {
        "/api/v1/exchanges/{n}/messages/{place}" => {
            vec!["/api/v1/exchanges/2/messages/0".to_owned()]
        }
        "/api/v1/exchanges/{n}"
        | "/api/v1/exchanges/{n}/comparison"
        | "/api/v1/exchanges/{n}/times" => {
            let numbers = 1..=sample::FAILING_POLL + 2;
            numbers
                .map(|n| path.replace("{n}", &n.to_string()))
                .collect()
        }
        "/api/v1/partitions/{stream}/{topic}/{partition}" => {
            let partitions = [
                "otel/metrics/0",
                "otel/metrics/1",
                "otel/metrics/2?around=6",
            ];
            partitions
                .map(|partition| format!("/api/v1/partitions/{partition}"))
                .into()
        }
        "/api/v1/latency" => [
            "",
            "?by=stream&slices=1",
            "?by=connection&label=1",
            "?from2=2020-01-01T00:00:00Z",
        ]
        .map(|query| format!("{path}{query}"))
        .to_vec(),
        _ => vec![path.to_owned()],
    }
}

#[tokio::test]
async fn every_answer_is_as_the_document_says() {
    let page = Page::over(sample::broken_partition()).await;
    let document = Document::of(&page).await;
    let mut asked = 0;
    for path in document.paths() {
        let validator = document.answer(path, 200);
        for address in addresses(path) {
            must_fit(&validator, &page.json(&address).await, &address);
            asked += 1;
        }
    }
    assert!(asked > 8, "{asked}");
}

#[tokio::test]
async fn what_is_asked_wrongly_is_named_with_what_there_is() {
    let page = Page::over(sample::broken_partition()).await;
    let document = Document::of(&page).await;
    for (path, query, words) in [
        (
            "/api/v1/exchanges",
            "order=n",
            "no parameter \"order\": there are where, conn",
        ),
        ("/api/v1/exchanges", "conn=x", "conn must be a whole number"),
        (
            "/api/v1/exchanges",
            "conn=9007199254740992",
            "at most 9007199254740991",
        ),
        (
            "/api/v1/exchanges",
            "conn=1&conn=2",
            "conn is given more than once",
        ),
        ("/api/v1/exchanges", "conn=", "conn has no value"),
        ("/api/v1/exchanges", "finding=PX999", "There are PX101"),
        ("/api/v1/exchanges", "limit=0", "from 1 to 1000"),
        ("/api/v1/exchanges", "limit=1001", "from 1 to 1000"),
        ("/api/v1/exchanges", "where=status+%3D+1", "status = 1"),
        ("/api/v1/findings", "muted=yes", "muted must be 1"),
        (
            "/api/v1/findings",
            "x=1",
            "no parameter \"x\": there are muted",
        ),
        (
            "/api/v1/figures",
            "x=1",
            "no parameter \"x\": there are none here",
        ),
    ] {
        let answer = page.get(&format!("{path}?{query}")).await;
        assert_eq!(answer.status, 400, "{path}?{query}: {}", answer.body);
        let body: Value = serde_json::from_str(&answer.body).unwrap();
        must_fit(&document.answer(path, 400), &body, query);
        assert!(
            body.to_string().replace("\\\"", "\"").contains(words),
            "{query}: {body}"
        );
    }
    let gone = page.get("/api/v1/exchanges/99999").await;
    assert_eq!(gone.status, 404);
    let body = serde_json::from_str(&gone.body).unwrap();
    must_fit(
        &document.answer("/api/v1/exchanges/{n}", 404),
        &body,
        "99999",
    );
}

#[tokio::test]
async fn a_list_has_as_many_as_are_asked_for_and_no_more_than_the_limit() {
    let journal = sample::broken_partition();
    let poll = journal.exchange(sample::FAILING_POLL).unwrap();
    for _ in 0..EXCHANGES_AT_ONCE {
        journal.record(parallax_captures::Exchange::clone(&poll));
    }
    let page = Page::over(journal).await;
    for (query, most) in [
        ("", 100),
        ("?limit=3", 3),
        ("?limit=1000", EXCHANGES_AT_ONCE),
    ] {
        let listed = page.json(&format!("/api/v1/exchanges{query}")).await;
        assert_eq!(listed["exchanges"].as_array().unwrap().len(), most);
        assert!(listed["next"].is_u64(), "there are more: {query}");
    }
}
