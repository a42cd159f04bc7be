//! Several routes: on every page which, and what cannot be told apart.

use std::sync::Arc;

use parallax_captures::{ConnectionId, Journal, RouteName};
use parallax_codec::primitives::PollingKind;
use parallax_web::{About, LiveRoute, Source};

use crate::http::Page;
use crate::sample;

fn name(name: &str) -> RouteName {
    RouteName::new(name).unwrap()
}

/// A client by each route, which both poll the topic of the same name.
fn two_routes() -> Arc<Journal> {
    let journal = Journal::new();
    for (conn, route) in [(1, "east"), (2, "west")] {
        sample::open(&journal, conn, Some("iggy"));
        let route = Some(name(route));
        journal.update_connection(ConnectionId(conn), |one| one.route.clone_from(&route));
        journal.update_mirror(route.as_ref(), |mirror| mirror.requests = conn);
        let question = sample::question("metrics", Some(0), PollingKind::Next);
        let mut poll = sample::poll(1_000, &question, Ok((0, 0)));
        (poll.conn, poll.route) = (ConnectionId(conn), route);
        journal.record(poll);
    }
    Arc::new(journal)
}

fn about() -> About {
    let route = |named, listen: &str, http: Option<&str>| LiveRoute {
        name: Some(name(named)),
        listen: listen.parse().unwrap(),
        upstream: format!("{named}.internal:8090"),
        http: http.map(str::to_owned),
    };
    About {
        source: Source::Live(vec![
            route("east", "127.0.0.1:8190", Some("http://east.internal:3000")),
            route("west", "127.0.0.1:8290", None),
        ]),
        ..sample::about()
    }
}

#[tokio::test]
async fn every_page_has_all_routes_and_each_mirror_is_told_of() {
    let page = Page::about(two_routes(), about()).await;
    let text = page.text("/").await;
    for words in [
        "<b>127.0.0.1:8190</b>",
        "<b>127.0.0.1:8290</b>",
        "<b>west.internal:8090</b>",
        "<b class=\"warn\">not mirrored</b>",
        "href=\"/exchanges?where=route%20%3D%3D%20%22west%22\"",
        "<h3>east ",
        "<h3>west ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = page.json("/api/v1/mirrors").await;
    assert_eq!(json["mirrors"][1]["route"], "west");
    assert_eq!(json["mirrors"][1]["requests"], 2);
}

#[tokio::test]
async fn a_route_is_in_json_and_can_be_filtered_by() {
    let page = Page::about(two_routes(), about()).await;
    let connections = page.json("/api/v1/connections").await;
    assert_eq!(connections["connections"][1]["route"], "west");
    let west = page
        .json("/api/v1/exchanges?where=route%20%3D%3D%20%22west%22")
        .await;
    let exchanges = west["exchanges"].as_array().unwrap();
    assert_eq!(exchanges.len(), 1);
    assert_eq!(exchanges[0]["route"], "west");
}

#[tokio::test]
async fn partitions_of_one_name_by_several_routes_are_said_to_be_shown_as_one() {
    let page = Page::about(two_routes(), about()).await;
    for address in ["/partitions", "/partitions/otel/metrics/0"] {
        let text = page.text(address).await;
        assert!(text.contains("several routes (east, west)"), "{text}");
    }
    let one = Page::over(sample::broken_partition()).await;
    assert!(!one.text("/partitions").await.contains("several routes"));
}
