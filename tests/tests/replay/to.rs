//! `replay --to`: the recorded requests to the stand-in, whose replies are the
//! recorded ones.

use std::net::SocketAddr;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::difference::{Comparer, Rules, Scope};
use parallax_captures::{ConnectionId, Exchange};
use parallax_codec::Dialect;
use parallax_codec::primitives::Secret;
use parallax_proxy::limits::REPLAY_CONNECTIONS;
use parallax_proxy::offline::read_capture;
use parallax_proxy::replay::{Connections, Logins, Pace, Plan, Target, play};
use parallax_proxy::standin::{Standin, StandinConfig};
use parallax_tests::{Tee, imported, program};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;

const CLASSIC: &str = "server-0.8.0_sdk-0.10.0";
const VSR: &str = "server-0.9-edge_sdk-0.11-edge";

/// Scenes whose commands the stand-in has, in the order in which they were recorded.
const SCENES: [&str; 5] = ["setup", "polls", "empty", "group", "purge"];

async fn standin(dialect: Dialect) -> Standin {
    let config = StandinConfig {
        dialect,
        ..StandinConfig::default()
    };
    Standin::start(config).await.unwrap()
}

/// Plays a recording; the password is the one that its server had.
async fn replay(file: &str, to: SocketAddr, more: &[&str]) -> Output {
    replay_as("iggy", file, to, more).await
}

async fn replay_as(password: &str, file: &str, to: SocketAddr, more: &[&str]) -> Output {
    let mut command = Command::new(program());
    command
        .arg("replay")
        .arg(imported(file))
        .arg("--to")
        .arg(to.to_string())
        .args(more)
        .env("PARALLAX_REPLAY_PASSWORD", password);
    spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn rows(output: &Output) -> Vec<Value> {
    let text = text(output);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The last row: how much was sent and what came of it.
fn counted(output: &Output) -> Value {
    rows(output).pop().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_scene_is_answered_as_it_was_recorded() {
    for (dialect, folder) in [(Dialect::Classic, CLASSIC), (Dialect::Vsr, VSR)] {
        let standin = standin(dialect).await;
        for scene in SCENES {
            let file = format!("{folder}/{scene}.pcapng");
            let output = replay(&file, standin.tcp, &["--allow-writes"]).await;
            assert_eq!(output.status.code(), Some(0), "{file}:\n{}", text(&output));
        }
        standin.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_writes_is_sent_unless_it_is_allowed() {
    let standin = standin(Dialect::Classic).await;
    let setup = format!("{CLASSIC}/setup.pcapng");
    let output = replay(&setup, standin.tcp, &["--json"]).await;
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    let rows = rows(&output);
    assert_eq!(
        rows[0]["to"],
        standin.tcp.to_string(),
        "the target is shown first"
    );
    let refused: Vec<_> = rows.iter().filter(|row| row["row"] == "not_sent").collect();
    assert_eq!(refused.len(), 8);
    assert!(
        refused
            .iter()
            .all(|row| row["why"].as_str().unwrap().contains("--allow-writes"))
    );
    let counted = counted(&output);
    assert_eq!(
        (counted["sent"].as_u64(), counted["equal"].as_u64()),
        (Some(3), Some(3))
    );
    // Nothing was created.
    let polls = format!("{CLASSIC}/polls.pcapng");
    let output = replay(&polls, standin.tcp, &[]).await;
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("stream_id_not_found") || text.contains("now 1009"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_messages_are_others_differs_in_these_fields() {
    let standin = standin(Dialect::Classic).await;
    for scene in ["setup", "purge"] {
        replay(
            &format!("{CLASSIC}/{scene}.pcapng"),
            standin.tcp,
            &["--allow-writes"],
        )
        .await;
    }
    let polls = format!("{CLASSIC}/polls.pcapng");
    let output = replay(&polls, standin.tcp, &["--json"]).await;
    assert_eq!(output.status.code(), Some(1));
    let rows = rows(&output);
    let field = |name: &str| {
        rows.iter()
            .filter(|row| row["row"] == "field")
            .any(|row| row["field"] == name)
    };
    assert!(
        field("response.current_offset") && field("response.messages[*].payload"),
        "{rows:?}"
    );
    let by_row: u64 = rows
        .iter()
        .filter(|row| row["row"] == "differs")
        .map(|row| row["differences"].as_array().unwrap().len() as u64)
        .sum();
    let by_field: u64 = rows.iter().filter_map(|row| row["count"].as_u64()).sum();
    assert_eq!(by_row, by_field);
}

#[tokio::test(flavor = "multi_thread")]
async fn at_captured_pace_or_on_one_connection_the_answers_are_the_same() {
    for (dialect, folder) in [(Dialect::Classic, CLASSIC), (Dialect::Vsr, VSR)] {
        let standin = standin(dialect).await;
        let setup = format!("{folder}/setup.pcapng");
        replay(&setup, standin.tcp, &["--allow-writes"]).await;
        for how in [
            ["--pace", "captured"],
            ["--pace", "4x"],
            ["--connections", "one"],
        ] {
            let mut more = vec!["--allow-writes"];
            more.extend(how);
            let polls = format!("{folder}/polls.pcapng");
            let output = replay(&polls, standin.tcp, &more).await;
            // The second time offsets are stored that were not before.
            let counted = text(&output);
            assert!(counted.contains("53 sent"), "{how:?}: {counted}");
        }
        standin.stop().await;
    }
}

/// The readable part of a recording, as if several clients had asked it side by side.
fn on_connections(folder: &str, connections: u64) -> Vec<Arc<Exchange>> {
    let file = imported(&format!("{folder}/polls.pcapng"));
    let exchanges = read_capture(&file).unwrap().exchanges;
    let reads = exchanges.iter().take(10).flat_map(|exchange| {
        (1..=connections).map(|conn| {
            let mut exchange = Exchange::clone(exchange);
            exchange.conn = ConnectionId(conn);
            Arc::new(exchange)
        })
    });
    reads.collect()
}

fn logins() -> Logins {
    Logins {
        password: Some(Secret::new("iggy")),
        ..Logins::default()
    }
}

fn target(to: SocketAddr, pace: Pace) -> Target {
    Target {
        to: to.to_string(),
        pace,
        connections: Connections::Captured,
        patience: Duration::from_mins(1),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn as_many_connections_as_were_captured_are_opened_and_closed_again() {
    for (dialect, folder) in [(Dialect::Classic, CLASSIC), (Dialect::Vsr, VSR)] {
        let standin = standin(dialect).await;
        replay(
            &format!("{folder}/setup.pcapng"),
            standin.tcp,
            &["--allow-writes"],
        )
        .await;
        let rules = Rules::built_in();
        for pace in [Pace::Flat, Pace::Timed(2.0)] {
            let tee = Tee::to(standin.tcp).await;
            let plan = Plan::of(&on_connections(folder, 3), &logins(), false);
            assert!(plan.not_sent.is_empty());
            let mut comparer = Comparer::new(&rules, Scope::Reply);
            let mut sent = 0;
            play(plan, &target(tee.address, pace), |played| {
                let now = played.now.unwrap();
                assert_eq!(comparer.compare(&played.captured, &now), [], "{folder}");
                sent += 1;
            })
            .await
            .unwrap();
            assert_eq!((sent, tee.passed().len()), (30, 3), "{folder}");
        }
        standin.stop().await;
    }
}

#[tokio::test]
async fn more_connections_than_are_opened_are_refused_beforehand() {
    let most = u64::try_from(REPLAY_CONNECTIONS).unwrap();
    let plan = Plan::of(&on_connections(CLASSIC, most + 1), &logins(), false);
    let nobody = SocketAddr::from(([127, 0, 0, 1], 9));
    let error = play(plan, &target(nobody, Pace::Flat), |_| {})
        .await
        .unwrap_err();
    assert!(error.contains("--connections one"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_is_told_as_the_servers_refusal() {
    for (dialect, folder) in [(Dialect::Classic, CLASSIC), (Dialect::Vsr, VSR)] {
        let standin = standin(dialect).await;
        let file = format!("{folder}/empty.pcapng");
        let output = replay_as("canary", &file, standin.tcp, &[]).await;
        let text = text(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("invalid_credentials"), "{text}");
        assert!(!text.contains("canary"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_other_dialect_is_told_and_is_no_difference() {
    for (server, folder, said) in [
        (
            Dialect::Vsr,
            CLASSIC,
            "a server of the other dialect keeps silent",
        ),
        (
            Dialect::Classic,
            VSR,
            "the server answers in the classic dialect",
        ),
    ] {
        let standin = standin(server).await;
        let file = format!("{folder}/empty.pcapng");
        let output = replay(&file, standin.tcp, &["--timeout", "1"]).await;
        let text = text(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(said), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_or_goes_is_told() {
    let file = format!("{CLASSIC}/empty.pcapng");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let gone = tokio::spawn(async move { drop(listener.accept().await.unwrap()) });
    let output = replay(&file, address, &[]).await;
    gone.await.unwrap();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("no reply") && said.contains("more not"),
        "{said}"
    );

    let output = replay(&file, address, &[]).await;
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains(&format!("no connection to {address}")),
        "{said}"
    );
}
