//! A headless Chromium, driven through ChromeDriver.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

use crate::{find_tool, is_installed};

/// A browser; ends with this value.
pub struct Browser {
    /// To drive it.
    pub client: Client,
    driver: Child,
}

impl Browser {
    /// Starts one with a window of this size; `None` where Chromium is not on
    /// this machine (see [`is_installed`]).
    pub async fn start(width: u32, height: u32) -> Option<Self> {
        let both =
            is_installed("chromium", "chromium") && is_installed("chromedriver", "chromium-driver");
        let chromium = find_tool("chromium").filter(|_| both)?;
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver can be started");
        let lines = BufReader::new(driver.stdout.take().expect("it is piped")).lines();
        let port = lines
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, port) = line.split_once("started successfully on port ")?;
                port.trim_end_matches('.').parse::<u16>().ok()
            })
            .expect("chromedriver says its port");
        let capabilities = json!({
            "browserName": "chrome",
            "goog:chromeOptions": {
                "binary": chromium,
                "args": [
                    "--headless",
                    // A container's root has no sandbox to drop into.
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    format!("--window-size={width},{height}"),
                ],
            },
        });
        let capabilities = capabilities.as_object().expect("it is an object").clone();
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .expect("a session can be opened");
        Some(Self { client, driver })
    }

    /// Keeps what the window shows as `tests/screenshots/NAME.png`.
    pub async fn keep_screenshot(&self, name: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let picture = self.client.screenshot().await.expect("the window shows");
        std::fs::write(folder.join(format!("{name}.png")), picture).expect("it can be written");
    }

    /// Closes the browser.
    pub async fn close(self) {
        // The driver is ended in any case.
        let _ = self.client.clone().close().await;
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
