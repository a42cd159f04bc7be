//! A headless Chromium, driven through ChromeDriver.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{ParseError, Url};

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

    /// Looks through a window of this size, in dark or light colours.
    pub async fn look(&self, width: u32, height: u32, dark: bool) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", size)
            .await;
        let scheme = if dark { "dark" } else { "light" };
        let colours = json!({
            "features": [{ "name": "prefers-color-scheme", "value": scheme }],
        });
        self.devtools("Emulation.setEmulatedMedia", colours).await;
    }

    /// Keeps the whole page, as it is and however long, in each of [`LOOKS`], as
    /// `tests/screenshots/NAME-WIDTH-SCHEME.png`.
    pub async fn keep_looks(&self, name: &str) {
        for (width, dark) in LOOKS {
            self.look(width, 1000, dark).await;
            let wanted = json!({ "captureBeyondViewport": true });
            let taken = self.devtools("Page.captureScreenshot", wanted).await;
            let picture = taken["data"].as_str().expect("it is a picture");
            let picture = BASE64_STANDARD.decode(picture).expect("it is base64");
            let scheme = if dark { "dark" } else { "light" };
            write_picture(&format!("{name}-{width}-{scheme}"), &picture);
        }
    }

    /// Asks what `WebDriver` has no words for, in the words of Chromium's own protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let command = Devtools(json!({ "cmd": command, "params": parameters }));
        let answer = self.client.issue_cmd(command).await;
        answer.expect("Chromium does it")
    }

    /// Keeps what the window shows as `tests/screenshots/NAME.png`.
    pub async fn keep_screenshot(&self, name: &str) {
        let picture = self.client.screenshot().await.expect("the window shows");
        write_picture(name, &picture);
    }

    /// Closes the browser.
    pub async fn close(self) {
        // The driver is ended in any case.
        let _ = self.client.clone().close().await;
    }
}

/// Widths and whether dark: how every page is looked at.
pub const LOOKS: [(u32, bool); 4] = [(1280, false), (1280, true), (420, false), (420, true)];

fn write_picture(name: &str, picture: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::fs::write(folder.join(format!("{name}.png")), picture).expect("it can be written");
}

/// A command of Chromium's own protocol, through its driver.
#[derive(Debug)]
struct Devtools(Value);

impl WebDriverCompatibleCommand for Devtools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.0.to_string()))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
