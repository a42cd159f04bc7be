//! A browser that runs no script reads every page, and every form works.

use fantoccini::Locator;
use parallax_tests::Browser;
use serde_json::json;

use crate::every::every_page;
use crate::support::{Viewed, text_of, wait_for};

async fn browser_without_script() -> Option<Browser> {
    let browser = Browser::start(1280, 1000).await?;
    let off = json!({ "value": true });
    browser
        .devtools("Emulation.setScriptExecutionDisabled", off)
        .await;
    Some(browser)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_read_and_every_form_is_answered() {
    let Some(browser) = browser_without_script().await else {
        return;
    };
    let client = &browser.client;
    let viewed = Viewed::recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let mut forms = 0;
    for path in every_page(&viewed.page).await {
        viewed.open(&browser, &path).await;
        let main = client.find(Locator::Css("main")).await.unwrap();
        assert!(
            main.text().await.unwrap().len() > 20,
            "/{path} says nothing"
        );
        assert!(client.find(Locator::Css("h1")).await.is_ok(), "/{path}");
        let busy = client
            .find_all(Locator::Css("noscript, [aria-busy=true]"))
            .await;
        assert!(busy.unwrap().is_empty(), "/{path} waits for a script");
        for at in 0..client.find_all(Locator::Css("form")).await.unwrap().len() {
            viewed.open(&browser, &path).await;
            let form = client
                .find_all(Locator::Css("form"))
                .await
                .unwrap()
                .remove(at);
            let button = form.find(Locator::Css("button:not([type=button])")).await;
            let Ok(button) = button else {
                panic!("/{path}: a form that only a script can send");
            };
            // The one that asks for a secret sends none when it is empty: see the other test.
            let secret = form.find(Locator::Css("input[type=password]")).await;
            if secret.is_ok() || !button.is_displayed().await.unwrap() {
                continue;
            }
            button.click().await.unwrap();
            let heading = text_of(&browser, "h1").await;
            let is_problem = heading.starts_with(['4', '5']) && heading.contains(' ');
            assert!(!is_problem, "/{path}: form {at}: {heading}");
            forms += 1;
        }
    }
    assert!(forms > 2, "{forms}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expression_is_found_and_a_mistake_is_pointed_at() {
    let Some(browser) = browser_without_script().await else {
        return;
    };
    let client = &browser.client;
    let viewed = Viewed::recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let search = async |text: &str| {
        viewed.open(&browser, "exchanges").await;
        let field = client.find(Locator::Id("where")).await.unwrap();
        field.send_keys(text).await.unwrap();
        let button = client.find(Locator::Css("form.where button")).await;
        button.unwrap().click().await.unwrap();
        // The answer's address tells that the page before it was left.
        wait_for(&browser, &format!("#where[value={text:?}]")).await;
        text_of(&browser, "main").await
    };
    let found = search("status == 4100").await;
    assert!(found.contains("4100 invalid_offset"), "{found}");
    let mistaken = search("statu == 4100").await;
    assert!(mistaken.contains("did you mean status"), "{mistaken}");
    browser.close().await;
}
