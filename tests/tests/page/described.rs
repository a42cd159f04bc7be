//! The API's answers over every recording are as its document says.

use parallax_tests::all_recordings;
use serde_json::Value;

use crate::document::Document;
use crate::support::Viewed;

/// Exchanges of each recording that are read whole, besides the list.
const WHOLE: u64 = 60;

async fn json(viewed: &Viewed, path: &str) -> Value {
    let response = viewed.page.get(path).await;
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
    serde_json::from_str(body).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_recordings_answers_are_as_the_document_says() {
    let mut exchanges = 0;
    for file in all_recordings() {
        let viewed = Viewed::started(&["view", file.to_str().unwrap()]);
        let document = Document::strict(json(&viewed, "/api/v1/openapi.json").await);
        for path in document.paths() {
            let addresses = match path.as_str() {
                "/api/v1/exchanges" => vec![format!("{path}?limit=1000")],
                _ if path.contains("/exchanges/{n}") && !path.contains("{place}") => {
                    let list = json(&viewed, "/api/v1/exchanges?limit=1000").await;
                    let all = list["exchanges"].as_array().unwrap();
                    exchanges += all.len();
                    let numbers = all.iter().rev().map(|one| one["n"].as_u64().unwrap());
                    let numbers = numbers.filter(|n| *n <= WHOLE);
                    numbers
                        .map(|n| path.replace("{n}", &n.to_string()))
                        .collect()
                }
                // What its own test asks for.
                _ if path.contains('{') => Vec::new(),
                _ => vec![path.clone()],
            };
            let answer = document.answer(path, 200);
            for address in addresses {
                let what = format!("{} {address}", file.display());
                answer.must_fit(&json(&viewed, &address).await, &what);
            }
        }
    }
    assert!(exchanges > 500, "{exchanges}");
}
