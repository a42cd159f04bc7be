//! Prometheus reads the figures, and its tool finds nothing wrong with them.

use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use parallax_tests::{get, is_installed};
use serde_json::Value;
use tokio::time::timeout;

use crate::scene::{PATIENCE, Scene};

#[tokio::test(flavor = "multi_thread")]
async fn promtool_finds_nothing_wrong_with_the_figures() {
    if !is_installed("promtool", "prometheus") {
        return;
    }
    let scene = Scene::start(&[], |_| {}).await;
    scene.use_it().await;
    let figures = scene
        .figures_with("parallax_verdicts_total{verdict=\"agree\"}")
        .await;
    let mut promtool = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = promtool.stdin.take().unwrap();
    input.write_all(figures.as_bytes()).unwrap();
    drop(input);
    let ended = promtool.wait_with_output().unwrap();
    let says = String::from_utf8_lossy(&ended.stderr) + String::from_utf8_lossy(&ended.stdout);
    assert!(
        ended.status.success() && says.is_empty(),
        "{says}\n{figures}"
    );
}

#[test]
fn promtool_knows_the_rules_for_alerts() {
    if !is_installed("promtool", "prometheus") {
        return;
    }
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/alerts.yml");
    let checked = Command::new("promtool")
        .args(["check", "rules", "--lint-fatal"])
        .arg(&rules)
        .output()
        .unwrap();
    let says = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{says}");
    let known: Vec<_> = parallax_proxy::telemetry::metrics::all()
        .map(parallax_proxy::telemetry::Metric::name)
        .collect();
    let text = fs::read_to_string(rules).unwrap();
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut names: Vec<_> = words.filter(|word| word.starts_with("parallax_")).collect();
    names.dedup();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        assert!(known.iter().any(|one| one == name), "there is no {name}");
    }
}

/// A Prometheus that scrapes parallax every second; ended when this is dropped.
struct Prometheus {
    child: Child,
    address: SocketAddr,
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Prometheus {
    fn scraping(target: SocketAddr) -> Self {
        let folder = scratch();
        let config = folder.join("prometheus.yml");
        let scrape = format!(
            "global:\n  scrape_interval: 1s\nscrape_configs:\n  - job_name: parallax\n    \
             static_configs:\n      - targets: [\"{target}\"]\n"
        );
        fs::write(&config, scrape).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let child = Command::new("prometheus")
            .arg(format!("--config.file={}", config.display()))
            .arg(format!("--storage.tsdb.path={}", folder.display()))
            .arg(format!("--web.listen-address={address}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, address }
    }

    /// The value of a query, once it has one.
    async fn value(&self, query: &str) -> f64 {
        let target = format!("/api/v1/query?query={query}");
        let asked = async {
            loop {
                if let Some(value) = self.ask(&target).await {
                    return value;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let value = timeout(PATIENCE, asked).await;
        value.unwrap_or_else(|_| panic!("{query} has no value"))
    }

    async fn ask(&self, target: &str) -> Option<f64> {
        tokio::net::TcpStream::connect(self.address).await.ok()?;
        let answer = get(self.address, target).await;
        let begin = answer.find('{')?;
        let end = answer.rfind('}')?;
        let answer: Value = serde_json::from_str(&answer[begin..=end]).ok()?;
        let value = &answer["data"]["result"][0]["value"][1];
        value.as_str()?.parse().ok()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_scrapes_what_passed() {
    if !is_installed("prometheus", "prometheus") {
        return;
    }
    let scene = Scene::start(&[], |_| {}).await;
    scene.use_it().await;
    let closed = "parallax_connections_closed_total{reason=\"client_closed\"} 1";
    scene.figures_with(closed).await;
    let repeated = "parallax_findings_total{code=\"PX501\"";
    scene.figures_with(repeated).await;
    let prometheus = Prometheus::scraping(scene.metrics);
    for (query, value) in [
        ("up", 1.0),
        ("parallax_connections", 0.0),
        ("parallax_connections_accepted_total", 1.0),
        (
            "parallax_exchanges_total%7Bcommand=%22ping%22,status=%22ok%22%7D",
            1.0,
        ),
        (
            "parallax_exchanges_total%7Bcommand=%22poll_messages%22,status=%22error%22%7D",
            3.0,
        ),
        (
            "parallax_exchange_duration_seconds_count%7Bcommand=%22ping%22%7D",
            1.0,
        ),
        ("parallax_findings_total%7Bcode=%22PX501%22%7D", 3.0),
        ("parallax_mirror_state%7Bstate=%22ok%22%7D", 1.0),
    ] {
        let told = prometheus.value(query).await;
        assert!((told - value).abs() < 1e-9, "{query}: {told}");
    }
    // A ping to a server beside it takes no second, and some time.
    let quantile =
        "histogram_quantile(0.5,parallax_exchange_duration_seconds_bucket%7Bcommand=%22ping%22%7D)";
    let median = prometheus.value(quantile).await;
    assert!(median > 0.0 && median < 60.0, "{median}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_ready_until_it_is_asked_to_end() {
    let scene = Scene::start(&[], |_| {}).await;
    assert_eq!(scene.figures("/healthz").await, "ok\n");
    let ready = format!("ready: clients are accepted on {}\n", scene.listen);
    assert_eq!(scene.figures("/readyz").await, ready);
    // A client that waits for its answer keeps it from ending at once.
    let mut held = tokio::net::TcpStream::connect(scene.listen).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut held, &[4, 0, 0, 0])
        .await
        .unwrap();
    scene.figures_with("parallax_connections 1").await;
    let id = scene.parallax.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    let told = async {
        loop {
            let told = scene.figures("/readyz").await;
            if told != ready {
                return told;
            }
            tokio::task::yield_now().await;
        }
    };
    let told = timeout(PATIENCE, told).await.unwrap();
    assert_eq!(
        told,
        "not ready: it is ending, and accepts no more clients\n"
    );
}

fn scratch() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prometheus");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
