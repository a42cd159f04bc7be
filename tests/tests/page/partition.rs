//! A partition's life: the place where a skip happened is seen without reading.

use fantoccini::Locator;
use fantoccini::key::Key;
use parallax_tests::Browser;
use serde_json::{Value, json};

use crate::support::{Viewed, wait_for};

/// The partition of the demo's scenes.
const LIFE: &str = "partitions/otel/metrics/2";

/// Where an element stands in the window: x, y, width, height.
async fn place(browser: &Browser, css: &str) -> (f64, f64, f64, f64) {
    let script = "const { x, y, width, height } = document.querySelector(arguments[0])\
                  .getBoundingClientRect(); return [x, y, width, height];";
    let place = browser.client.execute(script, vec![json!(css)]).await;
    let place: Vec<f64> = serde_json::from_value(place.unwrap()).unwrap();
    (place[0], place[1], place[2], place[3])
}

async fn ask(browser: &Browser, script: &str) -> Value {
    browser.client.execute(script, Vec::new()).await.unwrap()
}

/// The time that is drawn, in microseconds since 1970.
async fn drawn(browser: &Browser) -> (i64, i64) {
    let script = "const { from, to } = document.querySelector('svg[data-from]').dataset; \
                  return [Number(from), Number(to)];";
    let times = ask(browser, script).await;
    serde_json::from_value(times).unwrap()
}

/// Waits until another time is drawn than this one.
async fn drawn_other_than(browser: &Browser, before: (i64, i64)) -> (i64, i64) {
    let css = format!("svg[data-from]:not([data-from=\"{}\"])", before.0);
    wait_for(browser, &css).await;
    drawn(browser).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skip_is_a_hole_in_the_drawing_that_can_be_zoomed_by_link_by_key_and_by_pulling() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::started(&["demo", "--fault", "offset_jump"]);
    // The scene has passed once its last finding is there.
    viewed.open(&browser, LIFE).await;
    let hole = "rect[data-missing-from=\"5\"][data-missing-to=\"14\"]";
    until_there(&viewed, &browser, LIFE, hole).await;
    let after = "line[data-first=\"15\"]";
    wait_for(&browser, after).await;
    // As soon as there is room for words beside it.
    wait_for(&browser, "text.hole").await;
    // What is measured is one drawing, while more passes.
    let hold = wait_for(&browser, "#life-hold").await;
    hold.click().await.unwrap();
    let (x, y, width, height) = place(&browser, hole).await;
    assert!(width >= 14.0 && height >= 50.0, "{width} by {height}");
    let (_, before_y, _, before_height) = place(&browser, "line[data-first=\"0\"]").await;
    assert!(
        before_y + 3.0 >= y + height - 3.0,
        "what came before stands below: {before_y} {before_height}"
    );
    let (after_x, after_y, ..) = place(&browser, after).await;
    assert!(
        after_y < y && after_x + 4.0 >= x + width - 4.0,
        "what came next stands above and after"
    );
    let text = wait_for(&browser, "text.hole").await;
    assert_eq!(text.text().await.unwrap(), "skipped 5 to 14 (10 messages)");
    browser.keep_looks("partition").await;
    browser.look(1280, 1000, false).await;

    zooms(&browser, &viewed, hole).await;
    browser.close().await;
}

/// Opens the page until the element is there: what passes takes its time.
async fn until_there(viewed: &Viewed, browser: &Browser, path: &str, css: &str) {
    let begun = std::time::Instant::now();
    while browser.client.find(Locator::Css(css)).await.is_err() {
        assert!(
            begun.elapsed() < crate::support::PATIENCE,
            "{css} never came"
        );
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        viewed.open(browser, path).await;
    }
}

async fn zooms(browser: &Browser, viewed: &Viewed, hole: &str) {
    let whole = drawn(browser).await;
    let closer = wait_for(browser, "[data-zoom=closer]").await;
    closer.click().await.unwrap();
    let near = drawn_other_than(browser, whole).await;
    assert!(near.1 - near.0 < whole.1 - whole.0);
    wait_for(browser, hole).await;
    let address = browser.client.current_url().await.unwrap();
    assert!(address.query().unwrap().starts_with("from="), "{address}");

    let drawing = wait_for(browser, "#drawing").await;
    drawing.send_keys("+").await.unwrap();
    let nearer = drawn_other_than(browser, near).await;
    assert!(nearer.1 - nearer.0 < near.1 - near.0, "by key");
    let focused = ask(browser, "return document.activeElement.id").await;
    assert_eq!(focused, "drawing", "the next key goes there too");
    let drawing = wait_for(browser, "#drawing").await;
    drawing.send_keys(&Key::Right.to_string()).await.unwrap();
    let later = drawn_other_than(browser, nearer).await;
    assert!(later.0 > nearer.0);
    browser.client.back().await.unwrap();
    let back = drawn_other_than(browser, later).await;
    assert_eq!(back, nearer, "the way back is the browser's");

    pulls(browser, back).await;
    reads_without_script(browser, viewed).await;
}

/// Over a fifth of what is drawn, begun on a mark.
async fn pulls(browser: &Browser, before: (i64, i64)) {
    let script = "const svg = document.querySelector('svg[data-from]'); \
        svg.scrollIntoView(); const box = svg.getBoundingClientRect(); \
        const y = box.y + 8; \
        const mark = svg.querySelector('a'); \
        const at = (type, part) => mark.dispatchEvent(new PointerEvent(type, { bubbles: true, \
            clientX: box.x + box.width * part, clientY: y, button: 0, pointerType: 'mouse' })); \
        at('pointerdown', 0.4); at('pointermove', 0.5); at('pointerup', 0.6); \
        return mark.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));";
    let followed = ask(browser, script).await;
    assert_eq!(followed, false, "it was no click on the mark");
    let pulled = drawn_other_than(browser, before).await;
    let (length, was) = (pulled.1 - pulled.0, before.1 - before.0);
    assert!(length < was / 2, "{length} of {was}");
}

/// Every zoom is an address that the server knows.
async fn reads_without_script(browser: &Browser, viewed: &Viewed) {
    let address = browser.client.current_url().await.unwrap();
    let query = address.query().unwrap().to_owned();
    let shown = drawn(browser).await;
    viewed.open(browser, &format!("{LIFE}?{query}")).await;
    assert_eq!(drawn(browser).await, shown);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_drawing_scrolls_sideways_in_a_narrow_window() {
    let Some(browser) = Browser::start(420, 900).await else {
        return;
    };
    let viewed = Viewed::recording("server-0.8.0_sdk-0.10.0/segments.pcap");
    browser.look(420, 900, false).await;
    for path in ["partitions", "partitions/otel/big/0"] {
        viewed.open(&browser, path).await;
        let wide = ask(
            &browser,
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        assert_eq!(wide.await, 0, "{path}");
    }
    let scrolls =
        "const box = document.getElementById('drawing'); return box.scrollWidth > box.clientWidth";
    assert_eq!(ask(&browser, scrolls).await, true);
    browser.keep_looks("partition-segments").await;
    viewed.open(&browser, "partitions").await;
    browser.keep_looks("partitions").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_that_names_no_partition_leads_to_the_one_that_http_refuses() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    viewed.open(&browser, "").await;
    let link = wait_for(
        &browser,
        "a.life-of[href^='/partitions/otel/metrics/2?around=']",
    )
    .await;
    link.click().await.unwrap();
    wait_for(&browser, "a.failed.unknown").await;
    let page = browser.client.source().await.unwrap();
    assert!(page.contains("HTTP says the same of this partition"));
    browser.keep_looks("partition-broken").await;
    browser.close().await;
}
