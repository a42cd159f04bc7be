//! No page has what axe-core knows to be a barrier (WCAG 2.0 to 2.2, A and AA), in either
//! width and either colours.

use std::io::Write as _;
use std::path::PathBuf;

use parallax_tests::{Browser, LOOKS};
use serde_json::json;

use crate::every::every_page;
use crate::support::{Viewed, wait_for};

/// axe-core's one file; `None` where nobody says where it is.
fn axe() -> Option<String> {
    let Some(path) = std::env::var_os("PARALLAX_TEST_AXE") else {
        let message = "skipped: PARALLAX_TEST_AXE does not name axe-core's axe.min.js; \
                       `npm pack axe-core@4.14.1` and tar get it";
        assert!(std::env::var_os("CI").is_none(), "{message}");
        let _ = writeln!(std::io::stderr(), "{message}");
        return None;
    };
    let path = PathBuf::from(path);
    let read = std::fs::read_to_string(&path);
    Some(read.unwrap_or_else(|error| panic!("PARALLAX_TEST_AXE {}: {error}", path.display())))
}

const RUN: &str = r"
const done = arguments[arguments.length - 1];
const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const told = (node) => `${node.target.join(' ')}: ${node.failureSummary}`;
axe.run(document, { runOnly: { type: 'tag', values } }).then(
  ({ violations, passes }) =>
    done({
      passes: passes.length,
      violations: violations.map((v) => `${v.id}: ${v.help}\n${told(v.nodes[0])}`),
    }),
  (error) => done({ passes: 0, violations: [String(error)] }),
);";

async fn violations(browser: &Browser, axe: &str) -> Vec<String> {
    browser.client.execute(axe, Vec::new()).await.unwrap();
    let ran = browser.client.execute_async(RUN, Vec::new()).await.unwrap();
    assert!(ran["passes"].as_u64() > Some(5), "it did not look: {ran}");
    let all = ran["violations"].as_array().unwrap().iter();
    all.map(|one| one.as_str().unwrap().to_owned()).collect()
}

async fn nothing_is_in_the_way(viewed: &Viewed, pages: &[String]) {
    let Some(axe) = axe() else { return };
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let mut found = Vec::new();
    for page in pages {
        viewed.open(&browser, page).await;
        for (width, dark) in LOOKS {
            browser.look(width, 1000, dark).await;
            for violation in violations(&browser, &axe).await {
                found.push(format!("/{page} {width} dark: {dark}: {violation}"));
            }
            let wide = "return document.documentElement.scrollWidth";
            let wide = browser.client.execute(wide, Vec::new()).await.unwrap();
            if wide.as_u64() > Some(width.into()) {
                found.push(format!("/{page} {width}: scrolls sideways, {wide} wide"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_of_a_recording_has_a_barrier() {
    let viewed = Viewed::recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let pages = every_page(&viewed.page).await;
    assert!(pages.len() >= 9, "{pages:?}");
    nothing_is_in_the_way(&viewed, &pages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_of_the_demo_has_a_barrier_in_the_newer_dialect_either() {
    let mut viewed = Viewed::started(&["demo", "--fault", "offset_jump", "--dialect", "vsr"]);
    viewed.program.line_with("PX");
    let pages = every_page(&viewed.page).await;
    nothing_is_in_the_way(&viewed, &pages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_help_on_keys_has_no_barrier() {
    let Some(axe) = axe() else { return };
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    viewed.open(&browser, "exchanges").await;
    let press = json!({ "type": "keyDown", "key": "?", "text": "?", "code": "Slash" });
    browser.devtools("Input.dispatchKeyEvent", press).await;
    wait_for(&browser, "dialog[open]").await;
    for (width, dark) in LOOKS {
        browser.look(width, 1000, dark).await;
        assert_eq!(violations(&browser, &axe).await, Vec::<String>::new());
    }
    browser.close().await;
}
