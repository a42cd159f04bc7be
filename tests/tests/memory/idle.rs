//! Connections that are open and say nothing.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::support::{EMPTY_POLL, KIB, Parallax, ask, log_in, poll, say, server};

/// What one may take, everything included: relay, tap, session and the journal's share.
const EACH: u64 = 16 * KIB;

/// How many are wanted.
const MANY: u64 = 10_000;

/// Descriptors of a process that are not a connection's.
const OTHERS: u64 = 300;

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_idle_connections_take_less_than_16_kib_each() {
    let many = as_many_as_the_system_lets();
    let parallax = Parallax::before(server(EMPTY_POLL).await);
    // What the first one takes is not of each: threads, tables, buffers of the runtime.
    let mut first = parallax.connect().await;
    log_in(&mut first).await;
    ask(&mut first, &poll()).await;
    parallax.has_told(2).await;
    let before = parallax.memory().now;
    let each = |now: u64| now.saturating_sub(before) / many;

    let mut clients = Vec::new();
    for _ in 0..many {
        clients.push(parallax.connect().await);
    }
    ask(&mut first, &poll()).await;
    parallax.has_told(3).await;
    let connected = each(parallax.memory().now);

    for client in &mut clients {
        log_in(client).await;
    }
    parallax.has_told(3 + many).await;
    let logged_in = each(parallax.memory().now);

    for client in &mut clients {
        ask(client, &poll()).await;
    }
    parallax.has_told(3 + 2 * many).await;
    let polled = each(parallax.memory().now);
    say(&format!(
        "{many} idle connections: {connected} bytes each once connected, {logged_in} once each \
         has logged in, {polled} once each has polled"
    ));
    assert!(connected < EACH, "{connected} bytes once connected");
    assert!(logged_in < EACH, "{logged_in} bytes once logged in");
    assert!(polled < EACH, "{polled} bytes once logged in and polled");
}

/// The program and the test need two descriptors for each connection.
fn as_many_as_the_system_lets() -> u64 {
    let now = getrlimit(Resource::Nofile);
    let wanted = 2 * MANY + OTHERS;
    let raised = now.maximum.map_or(wanted, |most| most.min(wanted));
    let limit = Rlimit {
        current: Some(now.current.map_or(wanted, |current| current.max(raised))),
        ..now
    };
    setrlimit(Resource::Nofile, limit).expect("the limit can be raised within the hard one");
    let room = getrlimit(Resource::Nofile).current;
    let many = room.map_or(MANY, |room| MANY.min(room.saturating_sub(OTHERS) / 2));
    if many < MANY {
        let message = format!(
            "the limit of open files leaves room for {many} connections, not {MANY}: raise the \
             hard one to {wanted} (ulimit -Hn)"
        );
        say(&message);
        // What each takes can be told of a tenth of them as well; of fewer not.
        let enough = many >= MANY / 10;
        assert!(enough || std::env::var_os("CI").is_none(), "{message}");
    }
    many
}
