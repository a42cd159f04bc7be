//! A peer that vanishes sends nothing: no FIN, no RST. It is noticed all the
//! same, and the other side is told. The peer lives in a network namespace, and
//! vanishes when its link does.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use parallax_proxy::relay::{
    CloseReason, Event, Observations, Relay, RelayConfig, Shutdown, Side, TapLimits, tap,
};
use parallax_tests::is_installed;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::time::timeout;

/// Far longer than the keepalive of this test needs; only reached where
/// something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);

/// A namespace with one link to this one; gone when this is dropped.
struct Namespace {
    name: String,
    here: String,
    there: String,
}

impl Namespace {
    /// `None` where this user may make none.
    fn create() -> Option<Self> {
        let id = std::process::id();
        let namespace = Self {
            name: format!("plx{id}"),
            here: format!("plx{id}a"),
            there: format!("plx{id}b"),
        };
        let Self { name, here, there } = &namespace;
        if !ip(&format!("netns add {name}")) {
            let message = "skipped: network namespaces need root; run the tests as root";
            assert!(std::env::var_os("CI").is_none(), "{message}");
            // Past the test harness, which keeps what a passing test prints to itself.
            let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{message}\n"));
            return None;
        }
        for step in [
            format!("link add {here} type veth peer name {there} netns {name}"),
            format!("addr add 10.213.57.1/30 dev {here}"),
            format!("link set {here} up"),
            format!("-n {name} addr add 10.213.57.2/30 dev {there}"),
            format!("-n {name} link set {there} up"),
        ] {
            assert!(ip(&step), "ip {step}");
        }
        Some(namespace)
    }

    /// A client in the namespace that connects and then does nothing.
    fn idle_client(&self, port: u16) -> Child {
        let script = format!("exec 3<>/dev/tcp/10.213.57.1/{port}; echo connected; exec sleep 600");
        let mut client = Command::new("ip")
            .args(["netns", "exec", &self.name, "bash", "-c", &script])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let out = client.stdout.as_mut().unwrap();
        BufReader::new(out).read_line(&mut said).unwrap();
        assert_eq!(said, "connected\n");
        client
    }

    /// Nothing passes any more, either way, and nobody is told.
    fn cut(&self) {
        assert!(ip(&format!(
            "-n {} link set {} down",
            self.name, self.there
        )));
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        ip(&format!("netns del {}", self.name));
    }
}

fn ip(arguments: &str) -> bool {
    let run = Command::new("ip").args(arguments.split(' ')).output();
    run.is_ok_and(|output| output.status.success())
}

async fn close_reason(observations: &mut Observations) -> CloseReason {
    loop {
        let observation = observations.recv().await.expect("the relay runs");
        if let Event::Closed { reason, .. } = observation.event {
            return reason;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_client_that_vanishes_is_noticed_and_the_server_is_told() {
    if !is_installed("ip", "iproute2") {
        return;
    }
    let Some(namespace) = Namespace::create() else {
        return;
    };
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let listener = TcpListener::bind("10.213.57.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let config = RelayConfig {
        keepalive_idle: Duration::from_secs(1),
        keepalive_interval: Duration::from_secs(1),
        peer_silence: Duration::from_secs(3),
        ..RelayConfig::new(server.local_addr().unwrap().to_string())
    };
    let (tap, mut observations) = tap(TapLimits::default());
    let relay = Relay::new(listener, config, Some(tap)).await.unwrap();
    tokio::spawn(relay.serve(Shutdown::new()));

    let mut client = namespace.idle_client(port);
    let (mut upstream, _) = timeout(PATIENCE, server.accept()).await.unwrap().unwrap();
    namespace.cut();
    let reason = timeout(PATIENCE, close_reason(&mut observations))
        .await
        .unwrap();
    assert!(
        matches!(
            &reason,
            CloseReason::Failed {
                by: Side::Client,
                ..
            }
        ),
        "{reason}"
    );
    let mut rest = Vec::new();
    let told = timeout(PATIENCE, upstream.read_to_end(&mut rest))
        .await
        .unwrap();
    assert!(
        told.is_err() || rest.is_empty(),
        "the server's side has ended"
    );
    client.kill().unwrap();
    client.wait().unwrap();
}
