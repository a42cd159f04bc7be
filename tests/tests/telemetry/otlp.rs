//! Rotel, a collector for OpenTelemetry, takes what parallax sends, and tells what it got.

use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use parallax_tests::{program, python};
use serde_json::Value;
use tokio::time::timeout;

use crate::scene::{PASSWORD, PATIENCE, PAYLOAD, Scene};

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
            .args([
                "--debug-log",
                "traces",
                "--debug-log",
                "metrics",
                "--debug-log",
                "logs",
            ])
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

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_gets_findings_figures_and_exchanges_and_no_secret() {
    if !python::has("rotel", "rotel") {
        return;
    }
    let rotel = Rotel::start().await;
    let (mut log, write_log) = std::io::pipe().unwrap();
    let arguments = [
        "--otlp",
        &rotel.endpoint,
        "--otlp-sample",
        "1",
        "--log-format",
        "json",
    ];
    let scene = Scene::start(&arguments, |command| {
        command
            .env(
                "OTEL_EXPORTER_OTLP_HEADERS",
                "authorization=Bearer%20canary-key-53",
            )
            .env("OTEL_METRIC_EXPORT_INTERVAL", "500")
            .env("OTEL_SERVICE_NAME", "edge")
            .env("PARALLAX_LOG", "trace")
            .stderr(Stdio::from(write_log));
    })
    .await;
    let log = std::thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    });
    scene.use_it().await;
    // A line of each kind, as Rotel writes what it got.
    let told = rotel
        .told(&[
            "-> service.name: Str(edge)",
            // Exchanges.
            "Name           : send_messages otel/metrics",
            "Name           : poll_messages otel/metrics",
            "-> messaging.operation.type: Str(receive)",
            "-> messaging.destination.name: Str(nowhere/nothing)",
            "-> messaging.batch.message_count: Int(1)",
            "-> error.type: Str(stream_id_not_found)",
            "Status code    : STATUS_CODE_ERROR",
            // A finding.
            "-> parallax.finding.code: Str(PX501)",
            "nowhere/nothing",
            // Figures.
            "Name: parallax.exchange.duration",
            "Name: parallax.exchanges",
            "-> command: Str(ping)",
        ])
        .await;
    scene.parallax.interrupt();
    let log = log.join().unwrap();
    assert!(log.contains("TRACE"), "the log was on");
    for line in log.lines() {
        let said: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        assert!(said["timestamp"].is_string() && said["level"].is_string());
    }
    for secret in [PASSWORD, PAYLOAD, "canary-key-53"] {
        assert!(!told.contains(secret), "{secret} left");
        assert!(!log.contains(secret), "the log shows {secret}");
    }
    // By the trace that a finding names one finds the exchange that shows it.
    let finding = told
        .split("LogRecord #")
        .find(|one| one.contains("PX501"))
        .unwrap();
    let trace = finding
        .lines()
        .find_map(|line| line.trim().strip_prefix("Trace ID"));
    let trace = trace.unwrap().trim_start_matches([' ', ':']).trim();
    let span = told
        .split("Span #")
        .find(|one| one.contains(trace))
        .unwrap();
    assert!(span.contains("nowhere/nothing"), "{span}");
}

#[test]
fn what_cannot_be_a_collector_is_said_and_no_key_is_shown() {
    for (arguments, variable, value, says) in [
        (
            ["--otlp", "grpc://127.0.0.1:4317"],
            "OTEL_SERVICE_NAME",
            "",
            "http://127.0.0.1:4318",
        ),
        (
            ["--otlp-sample", "2"],
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "http://127.0.0.1:4318",
            "from 0 to 1",
        ),
        (
            ["--otlp", "http://127.0.0.1:4317"],
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            "grpc",
            "http/protobuf",
        ),
        (
            ["--otlp", "http://127.0.0.1:4318"],
            "OTEL_EXPORTER_OTLP_HEADERS",
            "canary-key-54",
            "name=value",
        ),
        (
            ["--otlp", "http://127.0.0.1:4318"],
            "OTEL_METRIC_EXPORT_INTERVAL",
            "1s",
            "milliseconds",
        ),
    ] {
        let ran = Command::new(program())
            .args(["run", "--listen", "127.0.0.1:0", "--ui", "127.0.0.1:0"])
            .args(arguments)
            .env(variable, value)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{told}");
        assert!(told.contains(says), "{told}");
        assert!(!told.contains("canary"), "{told}");
    }
}

fn free_address() -> String {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    free.local_addr().unwrap().to_string()
}
