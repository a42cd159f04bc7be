//! What `/api/v1/openapi.json` says is what is answered.

use parallax_web::limits::EXCHANGES_AT_ONCE;
use serde_json::Value;

use crate::document::Document;
use crate::http::Page;
use crate::sample;

async fn document_of(page: &Page) -> Document {
    Document::strict(page.json("/api/v1/openapi.json").await)
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
    let document = document_of(&page).await;
    let mut asked = 0;
    for path in document.paths() {
        let answer = document.answer(path, 200);
        for address in addresses(path) {
            answer.must_fit(&page.json(&address).await, &address);
            asked += 1;
        }
    }
    assert!(asked > 8, "{asked}");
}

#[tokio::test]
async fn what_is_asked_wrongly_is_named_with_what_there_is() {
    let page = Page::over(sample::broken_partition()).await;
    let document = document_of(&page).await;
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
        document.answer(path, 400).must_fit(&body, query);
        assert!(
            body.to_string().replace("\\\"", "\"").contains(words),
            "{query}: {body}"
        );
    }
    let gone = page.get("/api/v1/exchanges/99999").await;
    assert_eq!(gone.status, 404);
    let body = serde_json::from_str(&gone.body).unwrap();
    let described = document.answer("/api/v1/exchanges/{n}", 404);
    described.must_fit(&body, "99999");
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

#[tokio::test]
async fn every_endpoint_and_every_parameter_says_what_it_is() {
    let page = Page::over(sample::broken_partition()).await;
    let document = page.json("/api/v1/openapi.json").await;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert!(operation["summary"].is_string(), "{method} {path}");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = &parameter["name"];
                assert!(
                    parameter["description"].is_string(),
                    "{method} {path}: {name}"
                );
            }
            for status in ["400", "401", "421", "429"] {
                assert!(
                    operation["responses"][status].is_object(),
                    "{path}: {status}"
                );
            }
        }
    }
}
