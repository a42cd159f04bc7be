//! The printed address opens the page and is not left behind; without it, or the password,
//! a browser sees how to get in and nothing else.

use std::process::{Command, Stdio};

use fantoccini::Locator;
use parallax_tests::{Browser, Running, parallax, recording};

use crate::support::{PATIENCE, Viewed, wait_for};

const PASSWORD: &str = "canary-page-password-43";

async fn said(browser: &Browser) -> String {
    let main = wait_for(browser, "main").await;
    main.text().await.unwrap()
}

async fn sign_in(browser: &Browser, secret: &str) {
    let field = wait_for(browser, "#secret").await;
    field.send_keys(secret).await.unwrap();
    let button = browser.client.find(Locator::Css(".sign-in button")).await;
    button.unwrap().click().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_is_in_no_address_no_history_and_no_script_afterwards() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let mut viewed = Viewed::started(&["demo"]);
    viewed.program.line_with("PX");
    let client = &browser.client;
    let plain = format!("http://{}/", viewed.page.socket);
    client.goto(&format!("{plain}exchanges")).await.unwrap();
    let refused = said(&browser).await;
    assert!(
        refused.contains("Open the address that parallax printed"),
        "{refused}"
    );
    assert!(!refused.contains("poll_messages"));
    browser.keep_looks("sign-in").await;

    viewed.open(&browser, "exchanges").await;
    assert_eq!(
        client.current_url().await.unwrap().as_str(),
        format!("{plain}exchanges")
    );
    let kept = "return [document.cookie, document.referrer, \
                performance.getEntriesByType('navigation')[0].name, \
                Object.keys(localStorage).join()].join('|')";
    let kept = client.execute(kept, Vec::new()).await.unwrap().to_string();
    assert!(
        !kept.contains(&viewed.page.token) && kept.starts_with("\"|"),
        "{kept}"
    );
    let history = browser
        .devtools("Page.getNavigationHistory", serde_json::json!({}))
        .await;
    // What the user typed the browser knows; where it has been has no token.
    let entries = history["entries"].as_array().unwrap();
    for entry in entries {
        let been = entry["url"].as_str().unwrap();
        assert!(!been.contains(&viewed.page.token), "{history}");
    }
    // Live updates come with the cookie.
    let newest = wait_for(&browser, "#rows tr[data-n]")
        .await
        .attr("data-n")
        .await
        .unwrap();
    let newest: u64 = newest.unwrap().parse().unwrap();
    wait_for(&browser, &format!("tr#x{}", newest + 2)).await;
    client.goto(&format!("{plain}latency")).await.unwrap();
    assert!(said(&browser).await.contains("poll_messages"));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_can_be_pasted_and_leads_to_where_one_wanted_to_go() {
    let Some(browser) = Browser::start(420, 900).await else {
        return;
    };
    let viewed = Viewed::recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let wanted = format!("http://{}/exchanges?errors=1", viewed.page.socket);
    browser.client.goto(&wanted).await.unwrap();
    sign_in(&browser, "0123").await;
    let wrong = wait_for(&browser, "#wrong").await.text().await.unwrap();
    assert!(wrong.contains("not the token of this run"), "{wrong}");
    sign_in(&browser, &viewed.page.token).await;
    wait_for(&browser, "#rows tr[data-n]").await;
    assert_eq!(browser.client.current_url().await.unwrap().as_str(), wanted);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_opens_a_page_for_other_machines() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let file = recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let arguments = ["view", file.to_str().unwrap(), "--ui", "0.0.0.0:0"];
    let mut running = Running::start_with(&arguments, |command: &mut Command| {
        command.env("PARALLAX_UI_PASSWORD", PASSWORD);
    });
    let line = running.line_with("page  ");
    let port = line.trim_end_matches('/').rsplit(':').next().unwrap();
    assert!(
        !line.contains("token") && !line.contains(PASSWORD),
        "{line}"
    );
    let page = format!("http://127.0.0.1:{port}/");
    browser.client.goto(&page).await.unwrap();
    assert!(said(&browser).await.contains("This page has a password"));
    browser.keep_looks("sign-in-password").await;
    sign_in(&browser, PASSWORD).await;
    let waited = browser.client.wait().at_most(PATIENCE);
    waited.for_element(Locator::Css("nav")).await.unwrap();
    assert!(said(&browser).await.contains("PX104"));
    browser.close().await;
}

#[test]
fn without_a_password_no_other_machine_may_come_and_the_error_says_how() {
    let file = recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let file = file.to_str().unwrap();
    for (arguments, words) in [
        (["--ui", "0.0.0.0:0"], "PARALLAX_UI_PASSWORD"),
        (["--ui-host", "debug.example"], "PARALLAX_UI_PASSWORD"),
    ] {
        let output = parallax(&[&["view", file], &arguments[..]].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
    let mut empty = Command::new(parallax_tests::program());
    let empty = empty.args(["view", file]).env("PARALLAX_UI_PASSWORD", "");
    let output = empty.stdout(Stdio::null()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("password is empty"), "{said}");
}
