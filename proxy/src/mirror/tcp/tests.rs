//! parallax's own TCP connections, against a server that behaves as it is told and
//! against the stand-in.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parallax_captures::Journal;
use parallax_captures::poll::Poll;
use parallax_captures::verdict::TcpOutcome;
use parallax_codec::commands::ConsumerOffset;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Next, Offset};
use parallax_codec::primitives::{ConsumerKind, Identifier, PartitionLayout};
use parallax_codec::{Dialect, ErrorCode, Reply, Request};
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::stub::{Act, Stub, messages, refused};
use super::{Tcp, Whom};
use crate::comparison::sample::{answer, poll};
use crate::credentials::Credentials;
use crate::demo::{BROKEN_PARTITION, STREAM, TOPIC, prepare_topic};
use crate::limits::{OWN_CONNECTIONS, OWN_REPLY_BYTES};
use crate::mirror::figures::Figures;
use crate::standin::{Fault, PlacedFault, Standin, StandinConfig};

const PATIENCE: Duration = Duration::from_secs(20);
const CANARY: &str = "canary-51ce";
const BOTH: [Dialect; 2] = [Dialect::Classic, Dialect::Vsr];

fn whom(dialect: Dialect, username: &str) -> Whom {
    Whom {
        dialect,
        layout: PartitionLayout::Flagged,
        credentials: Credentials::Password {
            username: username.to_owned(),
            password: CANARY.to_owned(),
        },
    }
}

fn tcp(address: &str) -> Tcp {
    // Longer than any test takes.
    let backoff = (10 * PATIENCE, 10 * PATIENCE);
    let figures = Figures::new(Arc::new(Journal::new()), None);
    Tcp::new(Some(address.to_owned()), None, PATIENCE, backoff, figures)
}

fn first() -> Poll {
    poll(Consumer, Some(2), First)
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, waiting).await.expect(what);
}

#[tokio::test]
async fn both_dialects_log_in_once_and_poll_as_a_consumer_without_a_commit() {
    for dialect in BOTH {
        let stub = Stub::start(dialect, |_, before| match before {
            0 => messages(&answer(2, 26, 0..3)),
            _ => refused(4100),
        })
        .await;
        let tcp = tcp(&stub.address);
        let found = tcp.poll(&whom(dialect, "iggy"), &first()).await.unwrap();
        assert_eq!(found.outcome, TcpOutcome::Answered(answer(2, 26, 0..3)));
        assert_eq!((found.partition_id, found.strategy), (2, First));
        let found = tcp.poll(&whom(dialect, "iggy"), &first()).await.unwrap();
        assert_eq!(found.outcome, TcpOutcome::Refused(ErrorCode(4100)));
        for request in stub.asked() {
            let Request::PollMessages(sent) = request else {
                panic!("{request:?}");
            };
            assert_eq!((sent.consumer.kind, sent.auto_commit), (Consumer, false));
            assert_eq!(sent.partition_id, Some(2));
        }
        assert_eq!(stub.seen.lock().unwrap().len(), 3, "a login and two polls");
        assert_eq!(stub.opened.load(Ordering::SeqCst), 1);
        let status = tcp.figures.journal.mirrors().pop().unwrap();
        assert_eq!(status.tcp_requests, 2);
    }
}

#[tokio::test]
async fn a_token_logs_in_its_own_way_in_both_dialects() {
    for dialect in BOTH {
        let stub = Stub::start(dialect, |_, _| refused(4100)).await;
        let whom = Whom {
            credentials: Credentials::Token(CANARY.to_owned()),
            ..whom(dialect, "")
        };
        tcp(&stub.address).poll(&whom, &first()).await.unwrap();
        let seen = stub.seen.lock().unwrap();
        let token = match &seen[0] {
            Request::LoginWithPersonalAccessToken(login) => login.token.reveal(),
            Request::LoginRegisterWithPat(login) => login.token.reveal(),
            other => panic!("{other:?}"),
        };
        assert_eq!(token, CANARY);
    }
}

#[tokio::test]
async fn a_groups_stored_offset_is_read_in_both_dialects() {
    for dialect in BOTH {
        let stub = Stub::start(dialect, |request, before| {
            let Request::GetConsumerOffset(asked) = request else {
                return Act::Close;
            };
            assert_eq!(asked.consumer.kind, Group);
            match before {
                0 => Act::Reply(
                    0,
                    Reply::ConsumerOffset(ConsumerOffset {
                        partition_id: 2,
                        current_offset: 26,
                        stored_offset: 7,
                    }),
                ),
                1 => Act::Reply(0, Reply::Empty),
                _ => refused(5000),
            }
        })
        .await;
        let (tcp, whom) = (tcp(&stub.address), whom(dialect, "iggy"));
        let next = poll(Group, None, Next);
        assert_eq!(tcp.group_offset(&whom, &next, 2).await, Ok(Some(7)));
        assert_eq!(tcp.group_offset(&whom, &next, 2).await, Ok(None));
        let refused = tcp.group_offset(&whom, &next, 2).await.unwrap_err();
        assert!(refused.contains("5000"), "{refused}");
    }
}

#[tokio::test]
async fn a_connection_that_the_server_ended_is_opened_anew_once() {
    for (dialect, end) in [
        (Dialect::Classic, Act::Close),
        (Dialect::Vsr, Act::Close),
        (Dialect::Vsr, Act::Evict),
    ] {
        let stub = Stub::start(dialect, move |_, before| match before {
            1 => end.clone(),
            _ => messages(&answer(2, 26, 0..3)),
        })
        .await;
        let (tcp, whom) = (tcp(&stub.address), whom(dialect, "iggy"));
        tcp.poll(&whom, &first()).await.unwrap();
        tcp.poll(&whom, &first()).await.unwrap();
        assert_eq!(stub.opened.load(Ordering::SeqCst), 2);
    }
}

#[tokio::test]
async fn a_server_that_refuses_or_is_silent_is_left_alone_for_a_time_and_no_secret_is_told() {
    let silent = Stub::start(Dialect::Classic, |_, _| Act::Silence).await;
    let closing = Stub::start(Dialect::Vsr, |_, _| Act::Close).await;
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = nobody.local_addr().unwrap().to_string();
    drop(nobody);
    // Accepted by the kernel, answered by nobody.
    let mute = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mute = mute.local_addr().map(|at| (at.to_string(), mute)).unwrap();
    for (dialect, address, words) in [
        (Dialect::Classic, &silent.address, "did not answer within"),
        (Dialect::Vsr, &closing.address, "closed the connection"),
        (Dialect::Classic, &address, "no connection to"),
        (Dialect::Vsr, &mute.0, "did not answer within"),
    ] {
        let mut tcp = tcp(address);
        tcp.timeout = Duration::from_millis(300);
        let whom = whom(dialect, "iggy");
        let why = tcp.poll(&whom, &first()).await.unwrap_err();
        assert!(why.contains(words), "{why}");
        let waits = tcp.poll(&whom, &first()).await.unwrap_err();
        assert!(waits.contains("was not asked about"), "{waits}");
        let shown = format!("{why} {waits} {tcp:?} {whom:?}");
        assert!(!shown.contains(CANARY), "{shown}");
    }
}

#[tokio::test]
async fn a_huge_reply_is_not_gathered() {
    let stub = Stub::start(Dialect::Classic, |_, _| {
        let mut huge = answer(2, 26, 0..1);
        huge.messages[0].payload = vec![0; OWN_REPLY_BYTES].into();
        messages(&huge)
    })
    .await;
    let whom = whom(Dialect::Classic, "iggy");
    let why = tcp(&stub.address).poll(&whom, &first()).await.unwrap_err();
    assert!(why.contains("longer than"), "{why}");
}

#[tokio::test]
async fn an_unused_connection_is_closed() {
    let stub = Stub::start(Dialect::Classic, |_, _| refused(4100)).await;
    let mut tcp = tcp(&stub.address);
    tcp.idle = Duration::from_millis(1);
    let whom = whom(Dialect::Classic, "iggy");
    tcp.poll(&whom, &first()).await.unwrap();
    until("closed", || stub.closed.load(Ordering::SeqCst) == 1).await;
    tcp.poll(&whom, &first()).await.unwrap();
    assert_eq!(stub.opened.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn of_more_users_than_the_limit_the_one_not_used_for_longest_is_let_go() {
    let stub = Stub::start(Dialect::Classic, |_, _| refused(4100)).await;
    let tcp = tcp(&stub.address);
    for user in 0..=OWN_CONNECTIONS {
        let whom = whom(Dialect::Classic, &format!("user {user}"));
        tcp.poll(&whom, &first()).await.unwrap();
    }
    until("closed", || stub.closed.load(Ordering::SeqCst) == 1).await;
    assert_eq!(tcp.peers.lock().await.len(), OWN_CONNECTIONS);
}

#[tokio::test]
async fn the_stand_in_answers_as_it_answers_a_client() {
    let standin = Standin::start(StandinConfig {
        fault: Some(PlacedFault {
            fault: Fault::FalseFirstOffset,
            stream: STREAM.to_owned(),
            topic: TOPIC.to_owned(),
            partition_id: BROKEN_PARTITION,
        }),
        ..StandinConfig::default()
    })
    .await
    .unwrap();
    prepare_topic(standin.tcp).await.unwrap();
    let config = StandinConfig::default();
    let whom = Whom {
        dialect: Dialect::Classic,
        layout: PartitionLayout::Flagged,
        credentials: Credentials::Password {
            username: config.username,
            password: config.password.reveal().to_owned(),
        },
    };
    let tcp = tcp(&standin.tcp.to_string());
    let asked = |kind: ConsumerKind, partition_id, strategy| Poll {
        stream: Identifier::Named(STREAM.to_owned()),
        topic: Identifier::Named(TOPIC.to_owned()),
        ..poll(kind, Some(partition_id), strategy)
    };
    let found = tcp.poll(&whom, &asked(Consumer, 0, First)).await.unwrap();
    let TcpOutcome::Answered(found) = found.outcome else {
        panic!("{found:?}");
    };
    assert_eq!(found.messages[0].offset, 0);
    let broken = asked(Consumer, BROKEN_PARTITION, Offset);
    let found = tcp.poll(&whom, &broken).await.unwrap();
    assert_eq!(found.outcome, TcpOutcome::Refused(ErrorCode(4100)));
    let wrong = Whom {
        credentials: Credentials::Password {
            username: "iggy".to_owned(),
            password: CANARY.to_owned(),
        },
        ..whom
    };
    let why = tcp.poll(&wrong, &broken).await.unwrap_err();
    assert!(
        why.contains("password of iggy") && !why.contains(CANARY),
        "{why}"
    );
    standin.stop().await;
}
