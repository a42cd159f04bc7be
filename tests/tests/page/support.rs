//! What every point needs.
#![allow(dead_code)]

use std::time::{Duration, Instant};

use fantoccini::Locator;
use fantoccini::elements::Element;
use parallax_tests::{Browser, PageAddress, Running, recording};
use serde_json::Value;

/// Long enough for any machine; only reached where something is wrong.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The program with a page, and the page's address.
pub(crate) struct Viewed {
    /// Ends with this value.
    pub(crate) program: Running,
    pub(crate) page: PageAddress,
}

impl Viewed {
    /// `parallax view` over a recording of a real server.
    pub(crate) fn recording(path: &str) -> Self {
        let file = recording(path);
        Self::started(&["view", file.to_str().unwrap()])
    }

    /// `parallax` with these arguments, on a free port.
    pub(crate) fn started(arguments: &[&str]) -> Self {
        let arguments = [arguments, &["--ui", "127.0.0.1:0"]].concat();
        let mut program = Running::start(&arguments);
        let page = program.page();
        Self { program, page }
    }

    /// What the API answers under a path, like `api/v1/figures`.
    pub(crate) async fn json(&self, path: &str) -> Value {
        let response = self.page.get(&format!("/{path}")).await;
        let (_, body) = response.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    }

    /// Opens a path of it, like `exchanges?errors=1`.
    pub(crate) async fn open(&self, browser: &Browser, path: &str) {
        browser.client.goto(&self.page.at(path)).await.unwrap();
    }
}

/// The element, as soon as it is there.
pub(crate) async fn wait_for(browser: &Browser, css: &str) -> Element {
    let waited = browser.client.wait().at_most(PATIENCE);
    let found = waited.for_element(Locator::Css(css)).await;
    found.unwrap_or_else(|error| panic!("{css}: {error}"))
}

/// The text of the element, as soon as it is there.
pub(crate) async fn text_of(browser: &Browser, css: &str) -> String {
    let begun = Instant::now();
    loop {
        // It may belong to the page that is being left.
        match wait_for(browser, css).await.text().await {
            Ok(text) => return text,
            Err(error) => assert!(begun.elapsed() < PATIENCE, "{css}: {error}"),
        }
    }
}
