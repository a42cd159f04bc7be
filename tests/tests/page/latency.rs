//! Point 6: latency.

use fantoccini::Locator;
use parallax_tests::Browser;
use serde_json::{Value, json};

use crate::support::{Viewed, wait_for};

const RECORDING: &str = "server-0.8.0_sdk-0.10.0/consumer.pcap";

/// What a script finds in the page.
async fn found(browser: &Browser, script: &str) -> Value {
    browser.client.execute(script, Vec::new()).await.unwrap()
}

async fn text(browser: &Browser, css: &str) -> String {
    wait_for(browser, css).await.text().await.unwrap()
}

/// Each link of the heat maps: where it leads, and what its cell says.
const CELLS: &str = "return [...document.querySelectorAll('svg.heat a')].map(
    a => [a.getAttribute('href'), a.querySelector('title').textContent])";

/// How many answers a cell says that it is of.
fn counted(title: &Value) -> u64 {
    let count = title.as_str().unwrap().split(' ').next().unwrap();
    count.replace(',', "").parse().unwrap()
}

async fn fits_a_narrow_window(browser: &Browser, name: &str) {
    browser.look(420, 1000, false).await;
    let width = found(browser, "return document.documentElement.scrollWidth").await;
    assert!(width.as_u64().unwrap() <= 420, "{name}: {width}");
    browser.look(1280, 1000, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_curve_draws_what_is_chosen_and_says_which_line_is_which() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording("server-0.8.0_sdk-0.10.0/polls.pcap");
    viewed.open(&browser, "latency").await;
    assert!(
        text(&browser, "p.legend")
            .await
            .contains("poll_messages TCP")
    );
    browser.keep_looks("latency-polls").await;
    browser.look(1280, 1000, false).await;

    let link = browser
        .client
        .find(Locator::LinkText("polling strategy"))
        .await
        .unwrap();
    link.click().await.unwrap();
    for strategy in ["first", "next"] {
        let link = browser
            .client
            .find(Locator::LinkText(strategy))
            .await
            .unwrap();
        link.click().await.unwrap();
    }
    let address = browser.client.current_url().await.unwrap();
    assert_eq!(
        address.query(),
        Some("by=strategy&strategy=first&strategy=next")
    );
    let legend = text(&browser, "p.legend").await;
    assert!(
        legend.contains("first, poll_messages TCP") && legend.contains("next, poll_messages TCP")
    );
    let dashes = found(
        &browser,
        "return [...document.querySelectorAll('svg.chart:not(.heat) g.series')].map(
            line => getComputedStyle(line.querySelector('path')).strokeDasharray)",
    );
    let dashes = dashes.await;
    let dashes = dashes.as_array().unwrap();
    assert_eq!(dashes.len(), 2);
    assert_ne!(dashes[0], dashes[1], "not told apart by colour alone");
    let linear = browser
        .client
        .find(Locator::LinkText("linear"))
        .await
        .unwrap();
    linear.click().await.unwrap();
    let address = browser.client.current_url().await.unwrap();
    assert!(address.query().unwrap().ends_with("&scale=linear"));
    fits_a_narrow_window(&browser, "strategies").await;
    browser.keep_looks("latency-strategies").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cell_of_the_heat_map_leads_to_exactly_what_it_counts() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording(RECORDING);
    viewed.open(&browser, "latency").await;
    wait_for(&browser, "svg.heat a").await;
    let cells = found(&browser, CELLS).await;
    let cells = cells.as_array().unwrap();
    let all: u64 = cells.iter().map(|cell| counted(&cell[1])).sum();
    for cell in cells.iter().step_by(cells.len() / 40 + 1) {
        let count = counted(&cell[1]);
        let href = cell[0].as_str().unwrap();
        let response = viewed.page.get(&format!("/api/v1{href}&limit=1000")).await;
        let (_, body) = response.split_once("\r\n\r\n").unwrap();
        let listed: Value = serde_json::from_str(body).unwrap();
        assert_eq!(
            listed["exchanges"].as_array().unwrap().len() as u64,
            count,
            "{href}"
        );
    }
    let shown = found(
        &browser,
        "return document.querySelector('[aria-label=Percentiles] td.number').textContent",
    );
    assert_eq!(
        shown.await,
        json!(all.to_string()),
        "the cells have all polls"
    );

    // As a person does it.
    let count = counted(&cells[0][1]);
    found(
        &browser,
        "document.querySelector('svg.heat a').dispatchEvent(new MouseEvent('click', { bubbles: true }))",
    )
    .await;
    wait_for(&browser, "#rows tr").await;
    let rows = found(
        &browser,
        "return document.querySelectorAll('#rows tr').length",
    )
    .await;
    assert_eq!(rows, json!(count.min(100)));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_times_are_compared_by_a_link_and_by_the_form() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording(RECORDING);
    viewed.open(&browser, "latency").await;
    let preset = Locator::LinkText("first half against second half");
    browser
        .client
        .find(preset)
        .await
        .unwrap()
        .click()
        .await
        .unwrap();
    let sentence = text(&browser, "p.found").await;
    assert!(
        sentence.contains("p50 ") && sentence.contains(" \u{2192} "),
        "{sentence}"
    );
    let table = text(&browser, "table.compared").await;
    assert!(
        table.contains("first") && table.contains("times as long"),
        "{table}"
    );
    let legend = text(&browser, "p.legend").await;
    assert!(legend.contains("first time") && legend.contains("second time"));
    fits_a_narrow_window(&browser, "compared").await;
    browser.keep_looks("latency-compared").await;
    browser.look(1280, 1000, false).await;

    // The form keeps what is chosen, and shows one time alone where the second is empty.
    let form = browser
        .client
        .form(Locator::Css("form.times"))
        .await
        .unwrap();
    form.set_by_name("from2", "").await.unwrap();
    form.submit().await.unwrap();
    wait_for(&browser, "svg.heat").await;
    let address = browser.client.current_url().await.unwrap();
    assert!(address.query().unwrap().contains("to=20"), "{address}");
    assert!(
        browser
            .client
            .find(Locator::Css("table.compared"))
            .await
            .is_err()
    );
    let form = browser
        .client
        .form(Locator::Css("form.times"))
        .await
        .unwrap();
    form.set_by_name("from", "yesterday").await.unwrap();
    form.submit().await.unwrap();
    let refused = text(&browser, "main").await;
    assert!(refused.contains("from must be a time like"), "{refused}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_downloaded_with_what_is_chosen() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording(RECORDING);
    viewed.open(&browser, "latency?by=stream&side=tcp").await;
    let link = wait_for(&browser, "a[download]").await;
    let href = link.attr("href").await.unwrap().unwrap();
    assert_eq!(href, "/latency.hlog?by=stream&side=tcp");
    let log = found(
        &browser,
        "const request = new XMLHttpRequest();
         request.open('GET', document.querySelector('a[download]').href, false);
         request.send();
         return [request.status, request.getResponseHeader('Content-Disposition'), request.responseText]",
    );
    let log = log.await;
    assert_eq!(log[0], 200);
    assert_eq!(log[1], "attachment; filename=\"parallax-latency.hlog\"");
    let log = log[2].as_str().unwrap();
    assert!(log.contains("Tag=tcp.poll_messages."), "{log}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tcp_and_http_are_drawn_over_each_other_while_a_client_runs() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let mut viewed = Viewed::started(&["demo"]);
    viewed.program.line_with("PX501");
    viewed.open(&browser, "latency").await;
    let legend = text(&browser, "p.legend").await;
    assert!(legend.contains("poll_messages TCP") && legend.contains("poll_messages HTTP"));
    let maps = found(
        &browser,
        "return [...document.querySelectorAll('figcaption b')].map(b => b.textContent)",
    );
    assert_eq!(maps.await, json!(["TCP (client)", "HTTP (parallax)"]));
    fits_a_narrow_window(&browser, "demo").await;
    browser.keep_looks("latency-demo").await;
    browser.close().await;
}
