// What both SDKs do, written once: included by the module of each, which imports its
// prelude and has `server` and `create_topic`.

use std::net::SocketAddr;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::{Exchange, Side, VerdictKind};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_tests::{PageAddress, Server, free_page};
use tokio::time::{sleep, timeout};

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server with ten messages in a topic, and parallax before it, which injects faults.
struct Scene {
    server: Server,
    proxy: Proxy,
    stream: Identifier,
    topic: Identifier,
}

impl Scene {
    async fn with(faults: &[&str]) -> Self {
        let server = server().await;
        let mut config = ProxyConfig::before(server.tcp).asking(server.http.clone());
        config.ui = Some(free_page());
        config.routes[0].faults = faults.iter().map(|fault| fault.parse().unwrap()).collect();
        let proxy = Proxy::start(config).await.unwrap();
        let scene = Self {
            stream: Identifier::named("demo").unwrap(),
            topic: Identifier::named("metrics").unwrap(),
            server,
            proxy,
        };
        let direct = client(scene.server.tcp).await;
        direct.create_stream("demo").await.unwrap();
        create_topic(&direct, &scene.stream).await;
        for n in 0..10 {
            scene.send(&direct, n).await.unwrap();
        }
        direct.shutdown().await.unwrap();
        scene
    }

    async fn client(&self) -> IggyClient {
        client(self.proxy.listen()).await
    }

    async fn send(&self, client: &IggyClient, n: u32) -> Result<(), IggyError> {
        let mut messages = [IggyMessage::from_str(&format!("message {n}")).unwrap()];
        let partitioning = Partitioning::partition_id(0);
        let sent = client.send_messages(&self.stream, &self.topic, &partitioning, &mut messages);
        sent.await.map(drop)
    }

    /// The offsets that a poll brought.
    async fn poll(
        &self,
        client: &IggyClient,
        strategy: PollingStrategy,
        auto_commit: bool,
    ) -> Result<Vec<u64>, IggyError> {
        let consumer = Consumer::new(Identifier::numeric(1).unwrap());
        let (stream, topic) = (&self.stream, &self.topic);
        let polled =
            client.poll_messages(stream, topic, Some(0), &consumer, &strategy, 4, auto_commit);
        let polled = polled.await?;
        Ok(polled.messages.iter().map(|message| message.header.offset).collect())
    }

    /// The exchanges of a fault, once there are so many and the polls among them have
    /// verdicts.
    async fn injected(&self, count: usize) -> Vec<Arc<Exchange>> {
        let found = async {
            loop {
                let all = self.proxy.journal().exchanges();
                let injected: Vec<_> = all.into_iter().filter(|one| one.injected().is_some()).collect();
                if injected.len() >= count {
                    assert_eq!(injected.len(), count);
                    return injected;
                }
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(PATIENCE, found).await.unwrap()
    }

    /// The verdict on an exchange, once it is there.
    async fn verdict(&self, n: u64) -> (VerdictKind, String) {
        let found = async {
            loop {
                let exchange = self.proxy.journal().exchange(n).unwrap();
                if let Some(verdict) = &exchange.verdict {
                    return (verdict.kind, verdict.reason.clone());
                }
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(PATIENCE, found).await.unwrap()
    }

    /// Ends it. Nobody was accused of what parallax did.
    async fn end(self) {
        let journal = Arc::clone(self.proxy.journal());
        self.proxy.shutdown().signal();
        self.proxy.shutdown().signal();
        self.proxy.finished().await;
        let injected: Vec<u64> = journal
            .exchanges()
            .iter()
            .filter(|one| one.hides_the_server())
            .map(|one| one.n)
            .collect();
        for finding in journal.findings() {
            let named = finding.exchanges.iter().any(|n| injected.contains(n));
            assert!(!named, "{finding:?} of {injected:?}");
        }
    }
}

async fn client(address: SocketAddr) -> IggyClient {
    let text = format!("iggy://iggy:iggy@{address}");
    let client = IggyClient::from_connection_string(&text).unwrap();
    timeout(PATIENCE, client.connect()).await.unwrap().unwrap();
    client
}

/// Case A1: a consumer that is answered with 4100 again and again.
#[tokio::test(flavor = "multi_thread")]
async fn every_third_poll_is_refused_and_the_others_bring_what_is_there() {
    let scene = Scene::with(&["poll_messages error=invalid_offset every=3"]).await;
    let client = scene.client().await;
    for n in 1..=6 {
        let polled = scene.poll(&client, PollingStrategy::first(), false).await;
        if n % 3 == 0 {
            let error = polled.unwrap_err();
            assert_eq!(error.as_code(), 4100);
            assert_eq!(error.to_string(), "Invalid offset: 0", "what the client prints");
        } else {
            assert_eq!(polled.unwrap(), [0, 1, 2, 3]);
        }
    }
    for exchange in scene.injected(2).await {
        assert_eq!(exchange.status(), Some(4100));
        assert_eq!(
            exchange.injected(),
            Some("poll_messages error=invalid_offset every=3")
        );
        assert_eq!(exchange.server_answer(), None, "the server was not asked");
        let (kind, reason) = scene.verdict(exchange.n).await;
        assert_eq!(kind, VerdictKind::NotComparable);
        assert!(reason.contains("injected by parallax"), "{reason}");
    }
    scene.end().await;
}

/// Case B11: what is refused is not done.
#[tokio::test(flavor = "multi_thread")]
async fn a_send_that_is_refused_is_not_appended() {
    let scene = Scene::with(&["send_messages error=topic_id_not_found times=1"]).await;
    let client = scene.client().await;
    let error = scene.send(&client, 100).await.unwrap_err();
    assert_eq!(error.as_code(), 2010);
    scene.send(&client, 101).await.unwrap();
    let last = scene.poll(&client, PollingStrategy::last(), false).await.unwrap();
    assert_eq!(last, [7, 8, 9, 10]);
    scene.injected(1).await;
    scene.end().await;
}

/// Case A2: First finds nothing, and what it found is not lost to the client.
#[tokio::test(flavor = "multi_thread")]
async fn first_is_served_as_empty_and_commits_nothing() {
    let scene = Scene::with(&["poll_messages empty strategy=first"]).await;
    let client = scene.client().await;
    let first = scene.poll(&client, PollingStrategy::first(), true).await.unwrap();
    assert!(first.is_empty());
    let next = scene.poll(&client, PollingStrategy::next(), true).await.unwrap();
    assert_eq!(next, [0, 1, 2, 3], "the server stored nothing");
    let injected = scene.injected(1).await;
    let answer = injected[0].poll_answer().unwrap();
    assert_eq!((answer.partition_id, answer.current_offset, answer.count), (0, 9, 0));
    let server = injected[0].server_answer().unwrap();
    assert_eq!(server.status, Some(0));
    assert!(server.body_length > 16, "{server:?}");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delayed_reply_is_the_servers_own_and_late() {
    let scene = Scene::with(&["poll_messages delay=300ms"]).await;
    let client = scene.client().await;
    let polled = scene.poll(&client, PollingStrategy::first(), false).await.unwrap();
    assert_eq!(polled, [0, 1, 2, 3]);
    let injected = scene.injected(1).await;
    assert!(injected[0].latency().unwrap() >= Duration::from_millis(300));
    assert!(!injected[0].hides_the_server());
    let measured = scene.proxy.journal().latencies();
    let polls: u64 = measured
        .recorded()
        .filter(|(side, command, ..)| *side == Side::Tcp && *command == "poll_messages")
        .map(|(.., count)| count)
        .sum();
    assert_eq!(polls, 0, "nobody's latency is what was injected");
    let (kind, reason) = scene.verdict(injected[0].n).await;
    assert_eq!(kind, VerdictKind::Agree, "{reason}");
    scene.end().await;
}

/// Case E6: the connection ends in the middle of a reply.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_cut_in_a_reply_is_an_error_to_the_client() {
    let scene = Scene::with(&["poll_messages cut=20 times=1"]).await;
    let client = scene.client().await;
    // Whether it connects again and polls once more is the client's.
    let polled = scene.poll(&client, PollingStrategy::first(), false);
    let _ = timeout(PATIENCE, polled).await;
    let injected = scene.injected(1).await;
    assert!(injected[0].times.reply.is_none());
    let closed = async {
        loop {
            let connection = scene.proxy.journal().connection(injected[0].conn).unwrap();
            if let Some((_, why)) = connection.closed {
                return why;
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    let why = timeout(PATIENCE, closed).await.unwrap();
    assert!(why.contains("parallax cut the connection"), "{why}");
    let journal = scene.proxy.journal();
    let connection = journal.connection(injected[0].conn).unwrap();
    assert_eq!(connection.undecoded, None, "half a reply is no damage");
    assert!(injected[0].server_answer().unwrap().body_length > 0);
    assert_eq!(journal.counts().injected, 1);
    let again = scene.client().await;
    let polled = scene.poll(&again, PollingStrategy::first(), false).await.unwrap();
    assert_eq!(polled, [0, 1, 2, 3], "once was asked for");
    scene.end().await;
}

/// Cases B5 and E8: an answer that never comes.
#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_reply_is_silence_and_the_journal_has_what_the_server_said() {
    let scene = Scene::with(&["poll_messages drop times=1"]).await;
    let client = scene.client().await;
    let silence = scene.poll(&client, PollingStrategy::first(), false);
    let waited = timeout(Duration::from_secs(1), silence).await;
    assert!(waited.is_err(), "nothing came: {waited:?}");
    let injected = scene.injected(1).await;
    assert!(injected[0].times.reply.is_none());
    assert_eq!(injected[0].server_answer().unwrap().status, Some(0));
    let (kind, _) = scene.verdict(injected[0].n).await;
    assert_eq!(kind, VerdictKind::NotComparable);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn page_and_api_say_what_is_being_injected() {
    let fault = "poll_messages error=invalid_offset times=1";
    let scene = Scene::with(&[fault]).await;
    let client = scene.client().await;
    scene.poll(&client, PollingStrategy::first(), false).await.unwrap_err();
    let exchange = &scene.injected(1).await[0];
    let page = PageAddress::of(&scene.proxy.page().unwrap());
    for path in ["/", "/exchanges", "/latency", &format!("/exchanges/{}", exchange.n)] {
        let text = page.get(path).await;
        assert!(text.contains("Faults are being injected"), "{path}");
        assert!(text.contains(fault), "{path}");
    }
    let list = page.get("/exchanges").await;
    assert!(list.contains(">injected<"), "{list}");
    let faults = page.get("/api/v1/faults").await;
    assert!(faults.contains(&format!(r#""fault":"{fault}""#)), "{faults}");
    assert!(faults.contains(r#""injected":1"#), "{faults}");
    scene.end().await;
}
