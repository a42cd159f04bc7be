//! The filter expression: on the page, in links, in the API.

use std::sync::Arc;

use crate::http::Page;
use crate::sample::{self, HOSTILE};
use parallax_captures::filter::FIELDS;
use parallax_codec::primitives::PollingKind;
use parallax_web::limits::SEARCHES;
use serde_json::Value;

async fn page() -> Page {
    let journal = sample::broken_partition();
    sample::oddities(&journal);
    Page::over(journal).await
}

/// As a browser sends it.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| format!("%{byte:02X}"))
        .collect::<Vec<_>>()
        .concat()
}

async fn api(page: &Page, query: &str) -> Vec<Value> {
    let text = page.text(&format!("/api/v1/exchanges?{query}")).await;
    let value: Value = text.parse().unwrap();
    value["exchanges"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_api_lists_what_the_expression_accepts() {
    let page = page().await;
    let wanted = encoded("command == poll_messages and status == 4100 and topic == \"metrics\"");
    let listed = api(&page, &format!("where={wanted}")).await;
    assert_eq!(listed.len(), 4, "the polls of the broken partition");
    assert!(listed.iter().all(|one| one["status"] == 4100));
    // Together with what else restricts.
    let all = api(&page, &format!("where={}", encoded("request"))).await;
    let errors = api(&page, &format!("errors=1&where={}", encoded("request"))).await;
    assert!(errors.len() < all.len() && !errors.is_empty());
    // A plus is a space in a form's query.
    assert_eq!(
        api(
            &page,
            "where=status+%3D%3D+4100+and+topic+%3D%3D+%22metrics%22"
        )
        .await
        .len(),
        4
    );
}

#[tokio::test]
async fn the_page_lists_the_same_and_its_links_keep_the_expression() {
    let page = page().await;
    let wanted = "status == 4100 and topic == \"metrics\"";
    let text = page
        .text(&format!("/exchanges?errors=1&where={}", encoded(wanted)))
        .await;
    assert_eq!(text.matches("data-n=\"").count(), 4);
    assert!(
        text.contains("value=\"status == 4100 and topic == &quot;metrics&quot;\""),
        "{text}"
    );
    let kept = "where=status%20%3D%3D%204100%20and%20topic%20%3D%3D%20%22metrics%22";
    assert!(
        text.contains(&format!(
            "href=\"/exchanges?conn=1&amp;errors=1&amp;{kept}\""
        )),
        "{text}"
    );
    assert!(text.contains(&format!("data-query=\"?errors=1&amp;{kept}\"")));
    assert!(text.contains("<input type=\"hidden\" name=\"errors\" value=\"1\">"));
    assert!(text.contains("<a href=\"/exchanges?errors=1\">Clear</a>"));
    let rows = page.text(&format!("/rows?after=0&{kept}")).await;
    assert_eq!(rows.matches("data-n=\"").count(), 4);
}

#[tokio::test]
async fn a_mistake_keeps_the_text_and_is_pointed_at() {
    let page = page().await;
    let answer = page
        .get(&format!("/exchanges?where={}", encoded("status = 4100")))
        .await;
    assert_eq!(answer.status, 400);
    assert!(answer.body.contains("value=\"status = 4100\""));
    assert!(
        answer.body.contains("<pre>status = 4100\n       ^</pre>"),
        "{}",
        answer.body
    );
    assert!(answer.body.contains("Character 8: write == to compare."));
    assert!(
        answer
            .body
            .contains("aria-invalid=\"true\" aria-describedby=\"where-mistake\"")
    );
    assert!(!answer.body.contains("data-n=\""), "nothing is listed");
    assert!(!answer.body.contains("data-live"), "nor fetched");

    let answer = page
        .get(&format!(
            "/api/v1/exchanges?where={}",
            encoded("status = 4100")
        ))
        .await;
    assert_eq!(answer.status, 400);
    let problem: Value = answer.body.parse().unwrap();
    assert_eq!(problem["error"], "where, character 8: write == to compare.");
    assert_eq!(problem["position"], 7);
    assert_eq!(problem["pointed_out"], "status = 4100\n       ^");

    let answer = page
        .get(&format!("/rows?where={}", encoded("comand")))
        .await;
    assert_eq!(answer.status, 400);
    assert!(answer.body.contains("did you mean command?"));
}

#[tokio::test]
async fn a_hostile_expression_is_text() {
    let page = page().await;
    let wanted = format!("topic == \"{HOSTILE}\"");
    let text = page
        .text(&format!("/exchanges?where={}", encoded(&wanted)))
        .await;
    assert_eq!(
        text.matches("data-n=\"").count(),
        1,
        "it names a topic that there is"
    );
    assert!(!text.contains("<script>alert"), "{text}");
    for mistake in [
        HOSTILE,
        "\"><img src=x onerror=alert(1)>",
        "topic == \"</pre><script>alert(1)</script>\" x",
    ] {
        let answer = page
            .get(&format!("/exchanges?where={}", encoded(mistake)))
            .await;
        assert_eq!(answer.status, 400, "{mistake}");
        assert!(
            !answer.body.contains("<script>alert") && !answer.body.contains("<img"),
            "{mistake}"
        );
    }
    let long = "status or ".repeat(1_000);
    let answer = page
        .get(&format!("/exchanges?where={}", encoded(&long)))
        .await;
    assert_eq!(answer.status, 400);
    assert!(answer.body.contains("a filter has at most 4096 bytes"));
}

#[tokio::test]
async fn the_form_works_without_script_and_offers_every_field() {
    let page = page().await;
    let answer = page.get("/exchanges").await;
    assert!(answer.head.contains("form-action 'self'"));
    assert!(
        answer
            .body
            .contains("<form class=\"where\" action=\"/exchanges\" method=\"get\"")
    );
    let offered = answer.body.split("<datalist").nth(1).unwrap();
    for entry in FIELDS {
        let name = entry.short.unwrap_or(entry.path);
        assert!(
            offered.contains(&format!("<option value=\"{name}\">")),
            "{name}"
        );
    }
    let text = page.text("/api/v1/filter/fields").await;
    let fields: Value = text.parse().unwrap();
    let fields = fields["fields"].as_array().unwrap();
    assert_eq!(fields.len(), FIELDS.len());
    let verdict = fields.iter().find(|one| one["name"] == "verdict").unwrap();
    assert_eq!(
        (&verdict["type"], &verdict["words"][0]),
        (&"word".into(), &"agree".into())
    );
    let topic = fields.iter().find(|one| one["short"] == "topic").unwrap();
    assert_eq!(
        (&topic["type"], &topic["name"]),
        (&"identifier".into(), &"request.topic".into())
    );
    assert_eq!(topic["example"], "topic == \"metrics\"");
}

#[tokio::test]
async fn more_searches_than_there_may_be_at_once_wait_and_are_answered() {
    let journal = sample::broken_partition();
    for at in 0..2_000 {
        let question = sample::question("metrics", None, PollingKind::Next);
        journal.record(sample::poll(60_000 + at, &question, Ok((0, 0))));
    }
    let page = Arc::new(Page::over(journal).await);
    let wanted = encoded("response.messages.user_headers.value matches \"nothing\"");
    let asked: Vec<_> = (0..4 * SEARCHES)
        .map(|_| {
            let (page, wanted) = (Arc::clone(&page), wanted.clone());
            tokio::spawn(async move { api(&page, &format!("where={wanted}")).await.len() })
        })
        .collect();
    for one in asked {
        assert_eq!(one.await.unwrap(), 0);
    }
}
