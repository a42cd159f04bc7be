//! Rotel, a collector for OpenTelemetry, takes what parallax sends, and tells what it got.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use parallax_tests::python;
use tokio::time::timeout;

use crate::scene::{PATIENCE, Scene};

/// A collector that writes what it gets, field by field; ended when this is dropped.
struct Rotel {
    child: Child,
    endpoint: String,
    told: PathBuf,
}

impl Drop for Rotel {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Rotel {
    async fn start() -> Self {
        let program = "import os, rotel; print(os.path.dirname(rotel.__file__), end='')";
        let program = Path::new(&python::run(program, &[])).join("rotel-agent");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rotel");
        fs::create_dir_all(&folder).unwrap();
        let told = folder.join("told");
        let (http, grpc) = (free_address(), free_address());
        let child = Command::new(program)
            .args(["start", "--exporter", "blackhole"])
            .args(["--debug-log", "traces", "--debug-log", "metrics", "--debug-log", "logs"])
            .args(["--debug-log-verbosity", "detailed", "--log-format", "json"])
            .args(["--otlp-http-endpoint", &http, "--otlp-grpc-endpoint", &grpc])
            .stdout(Stdio::from(fs::File::create(&told).unwrap()))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let endpoint = format!("http://{http}");
        let started = Self {
            child,
            endpoint,
            told,
        };
        let listens = async {
            while tokio::net::TcpStream::connect(&http).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(PATIENCE, listens).await.unwrap();
        started
    }

    /// What it got, once all of these stand in it.
    async fn told(&self, wanted: &[&str]) -> String {
        let told = async {
            loop {
                let text = fs::read_to_string(&self.told).unwrap();
                if wanted.iter().all(|one| text.contains(one)) {
                    return text;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(PATIENCE, told).await.unwrap_or_else(|_| {
            let text = fs::read_to_string(&self.told).unwrap();
            let missing: Vec<_> = wanted.iter().filter(|one| !text.contains(**one)).collect();
            panic!("it did not get {missing:?}, but:\n{text}")
        })
    }
}

fn free_address() -> String {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    free.local_addr().unwrap().to_string()
}
