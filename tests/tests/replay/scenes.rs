// The scenes of the recordings, asked once more and from tape: the client is to print
// what it printed then. Included by the module of each SDK, which imports its prelude
// and names the folder.

use std::fmt::Debug;

use parallax_captures::difference::Rules;
use parallax_proxy::offline::read_capture;
use parallax_proxy::replay::{Serving, Tape};
use parallax_tests::{imported, recording};

/// A client of a tape, and what it prints.
struct Player {
    iggy: IggyClient,
    topic: &'static str,
    printed: Vec<String>,
}

/// Bytes of a recorded line at which it may have been cut.
const RECORDED_LINE: usize = 150;

async fn tape_of(scene: &str) -> Serving {
    let file = imported(&format!("{FOLDER}/{scene}.pcapng"));
    let exchanges = read_capture(&file).unwrap().exchanges;
    let tape = Tape::of(&exchanges, Rules::built_in());
    let any = "127.0.0.1:0";
    Serving::start(tape, any, any).await.unwrap()
}

fn named(name: &str) -> Identifier {
    Identifier::named(name).unwrap()
}

fn consumer(number: u32) -> Consumer {
    Consumer::new(Identifier::numeric(number).unwrap())
}

impl Player {
    /// Logs in: with what password does not matter to a tape.
    async fn of(tape: &Serving) -> Self {
        let address = tape.tcp.unwrap();
        let iggy = IggyClient::from_connection_string(&format!("iggy://iggy:other@{address}"));
        let iggy = iggy.unwrap();
        iggy.connect().await.unwrap();
        iggy.ping().await.unwrap();
        Self {
            iggy,
            topic: "metrics",
            printed: Vec::new(),
        }
    }

    async fn poll(
        &mut self,
        label: &str,
        consumer: &Consumer,
        partition: Option<u32>,
        strategy: PollingStrategy,
        count: u32,
        commits: bool,
    ) {
        let (stream, topic) = (named("otel"), named(self.topic));
        let polled = self
            .iggy
            .poll_messages(&stream, &topic, partition, consumer, &strategy, count, commits)
            .await;
        self.printed.push(match polled {
            Ok(polled) => {
                let offsets: Vec<u64> =
                    polled.messages.iter().map(|message| message.header.offset).collect();
                format!(
                    "{label}: partition={} current={} count={} offsets={offsets:?}",
                    polled.partition_id, polled.current_offset, polled.count
                )
            }
            Err(error) => format!("{label}: ERR {} {error}", error.as_code()),
        });
    }

    async fn store(&mut self, label: &str, consumer: &Consumer, partition: u32, offset: u64) {
        let (stream, topic) = (named("otel"), named(self.topic));
        let stored = self
            .iggy
            .store_consumer_offset(consumer, &stream, &topic, Some(partition), offset)
            .await;
        self.print(label, &stored);
    }

    async fn stored(&mut self, consumer: &Consumer, partition: u32) {
        let (stream, topic) = (named("otel"), named(self.topic));
        let stored = self
            .iggy
            .get_consumer_offset(consumer, &stream, &topic, Some(partition))
            .await;
        self.print("get offset", &stored);
    }

    fn print(&mut self, label: &str, value: &impl Debug) {
        self.printed.push(format!("{label}: {value:?}"));
    }

    /// Compares with what the recorded client printed.
    async fn end(self, scene: &str, tape: Serving) {
        let file = recording(&format!("{FOLDER}/{scene}.out"));
        let recorded = std::fs::read_to_string(file).unwrap();
        let recorded: Vec<&str> = recorded.lines().collect();
        for (now, then) in self.printed.iter().zip(&recorded) {
            // Long lines are cut in the recordings.
            let is_cut = then.len() >= RECORDED_LINE;
            assert!(now == then || is_cut && now.starts_with(then), "{scene}: {now}, {then}");
        }
        assert_eq!(self.printed.len(), recorded.len(), "{scene}");
        self.iggy.shutdown().await.unwrap();
        let served = tape.stop().await;
        assert!(served.answered >= recorded.len() as u64 / 2, "{served:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn polls_from_tape_are_what_the_recorded_client_printed() {
    let tape = tape_of("polls").await;
    let mut client = Player::of(&tape).await;
    let seven = consumer(7);
    for partition in 0..3 {
        let at = Some(partition);
        let (next, offset) = (PollingStrategy::next, PollingStrategy::offset);
        client.poll("first", &seven, at, PollingStrategy::first(), 5, false).await;
        client.poll("last", &seven, at, PollingStrategy::last(), 5, false).await;
        client.poll("offset 10", &seven, at, offset(10), 5, false).await;
        client.poll("offset beyond", &seven, at, offset(10_000), 5, false).await;
        let begin = PollingStrategy::timestamp(IggyTimestamp::from(1));
        client.poll("timestamp", &seven, at, begin, 2, false).await;
        client.poll("next no commit", &seven, at, next(), 5, false).await;
        client.poll("next no commit again", &seven, at, next(), 5, false).await;
        client.poll("next commit", &seven, at, next(), 5, true).await;
        client.poll("next commit again", &seven, at, next(), 5, true).await;
        client.stored(&seven, partition).await;
        client.store("store offset 3", &seven, partition, 3).await;
        client.poll("next after store", &seven, at, next(), 2, false).await;
        let deleted = client
            .iggy
            .delete_consumer_offset(&seven, &named("otel"), &named("metrics"), at)
            .await;
        client.print("delete offset", &deleted);
        client.stored(&seven, partition).await;
        client.poll("next after delete", &seven, at, next(), 2, false).await;
        client.poll("first count 0", &seven, at, PollingStrategy::first(), 0, false).await;
    }
    let first = PollingStrategy::first;
    client.poll("no partition consumer", &seven, None, first(), 2, false).await;
    client.poll("bad partition", &seven, Some(99), first(), 2, false).await;
    client.topic = "nope";
    client.poll("bad topic", &seven, Some(0), first(), 2, false).await;
    client.topic = "metrics";
    let by_name = Consumer::new(named("named-consumer"));
    for _ in 0..2 {
        let next = PollingStrategy::next();
        client.poll("named next", &by_name, Some(0), next, 3, true).await;
    }
    client.end("polls", tape).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_stores_from_tape_are_what_the_recorded_client_printed() {
    let tape = tape_of("empty").await;
    let mut client = Player::of(&tape).await;
    client.topic = "empty";
    let one = consumer(1);
    client.poll("empty first", &one, Some(0), PollingStrategy::first(), 5, false).await;
    client.poll("empty next", &one, Some(0), PollingStrategy::next(), 5, true).await;
    for _ in 0..5 {
        client.store("store 0 on empty", &one, 0, 0).await;
    }
    client.store("store 7 on empty", &one, 0, 7).await;
    client.topic = "metrics";
    client.store("store beyond", &one, 0, 5_000).await;
    client.end("empty", tape).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_groups_polls_from_tape_are_what_the_recorded_client_printed() {
    let tape = tape_of("group").await;
    let mut client = Player::of(&tape).await;
    let (stream, topic, group) = (named("otel"), named("metrics"), named("qw_sink_metrics"));
    for label in ["create group", "create group again"] {
        let iggy = &client.iggy;
        let created = iggy.create_consumer_group(&stream, &topic, "qw_sink_metrics").await;
        client.print(label, &created);
    }
    let member = Consumer::group(group.clone());
    let (next, first, last) = (
        PollingStrategy::next,
        PollingStrategy::first,
        PollingStrategy::last,
    );
    client.poll("group next before join", &member, None, next(), 4, true).await;
    let joined = client.iggy.join_consumer_group(&stream, &topic, &group).await;
    client.print("join", &joined);
    for _ in 0..9 {
        client.poll("group next", &member, None, next(), 4, true).await;
    }
    client.poll("group first", &member, None, first(), 4, false).await;
    client.poll("group next p1", &member, Some(1), next(), 4, false).await;
    client.poll("group last", &member, None, last(), 4, true).await;
    client.stored(&member, 0).await;
    let asked = client.iggy.get_consumer_group(&stream, &topic, &group).await;
    client.print("get group", &asked);
    let asked = client.iggy.get_consumer_groups(&stream, &topic).await;
    client.print("get groups", &asked);
    let left = client.iggy.leave_consumer_group(&stream, &topic, &group).await;
    client.print("leave", &left);
    let deleted = client.iggy.delete_consumer_group(&stream, &topic, &group).await;
    client.print("delete group", &deleted);
    client.end("group", tape).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_on_the_tape_is_an_error_that_the_sdk_shows() {
    let tape = tape_of("empty").await;
    let client = Player::of(&tape).await;
    let asked = client.iggy.get_streams().await;
    let error = asked.unwrap_err();
    assert_eq!(error.as_code(), 5, "{error}");
    let created = client.iggy.create_stream("other").await;
    let error = created.unwrap_err();
    assert_eq!(error.as_code(), 5, "{error}");
    client.iggy.shutdown().await.unwrap();
    assert_eq!(tape.stop().await.missing, 2);
}
