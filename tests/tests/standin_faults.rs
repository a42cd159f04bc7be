//! Each fault of the stand-in, in each dialect that it has, played through
//! parallax: what passed on the wire shows it, whatever parallax makes of it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::catalog;
use parallax_captures::{BinaryContent, Content, Exchange, FindingCode, Journal};
use parallax_codec::primitives::{ConsumerKind, PollingKind};
use parallax_codec::vsr::ResultSection;
use parallax_codec::{Dialect, Reply, Request, code};
use parallax_proxy::demo::{BROKEN_PARTITION, STREAM, Scene, TOPIC, placed, play};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_proxy::offline::read_capture;
use parallax_proxy::standin::{Fault, Standin, StandinConfig};
use parallax_tests::{bearer_token, get_with_token, recording};
use tokio::time::timeout;

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_secs(15);

/// Scenes that are played at a time.
const AT_ONCE: usize = 8;

/// What was seen of a scene.
struct Seen {
    exchanges: Vec<Arc<Exchange>>,
    /// What HTTP says of the first message of the broken partition afterwards.
    http_first: String,
    /// And from offset 5 on.
    http_fifth: String,
    /// What the client said.
    log: Vec<String>,
    /// What parallax found.
    findings: BTreeSet<FindingCode>,
}

/// A poll and what came of it.
#[derive(Debug, PartialEq)]
enum Polled {
    Offsets(Vec<u64>),
    Refused(u32),
}

impl Seen {
    fn binary(&self) -> impl DoubleEndedIterator<Item = &BinaryContent> {
        self.exchanges
            .iter()
            .filter_map(|exchange| match &exchange.content {
                Content::Binary(content) => Some(content),
                _ => None,
            })
    }

    fn of(&self, code: u32) -> impl DoubleEndedIterator<Item = &BinaryContent> {
        self.binary().filter(move |content| content.code == code)
    }

    /// The client's polls, of one strategy, in their order.
    fn polls(&self, kind: PollingKind) -> Vec<Polled> {
        let polls = self.of(code::POLL_MESSAGES).filter(|content| {
            matches!(&content.request, Some(Request::PollMessages(poll)) if poll.strategy.kind == kind)
        });
        polls
            .map(|content| match &content.reply {
                Some(Reply::PolledMessages(polled)) => {
                    let messages = polled.messages.iter();
                    Polled::Offsets(messages.map(|message| message.header.offset).collect())
                }
                _ => Polled::Refused(content.status.unwrap_or(u32::MAX)),
            })
            .collect()
    }

    fn statuses(&self, code: u32) -> Vec<u32> {
        self.of(code).map(refusal).collect()
    }

    /// The last offsets that polls said a partition has.
    fn current_offsets(&self) -> Vec<u64> {
        let polls = self.of(code::POLL_MESSAGES);
        polls
            .filter_map(|content| match &content.reply {
                Some(Reply::PolledMessages(polled)) => Some(polled.current_offset),
                _ => None,
            })
            .collect()
    }
}

/// The number that a command was refused with, wherever it stands; 0 for success.
fn refusal(content: &BinaryContent) -> u32 {
    let result = content.result.as_ref().and_then(ResultSection::error);
    result.or(content.status).unwrap_or(u32::MAX)
}

fn offsets(range: std::ops::Range<u64>) -> Polled {
    Polled::Offsets(range.collect())
}

fn nothing() -> Polled {
    Polled::Offsets(Vec::new())
}

/// Whether what was seen is the fault.
fn shows(fault: Fault, dialect: Dialect, seen: &Seen) -> bool {
    let shown = polls_show(fault, seen)
        .or_else(|| groups_show(fault, dialect, seen))
        .or_else(|| frames_show(fault, dialect, seen));
    shown.expect("the fault is looked for")
}

/// A consumer alone.
fn polls_show(fault: Fault, seen: &Seen) -> Option<bool> {
    let (first, next) = (
        seen.polls(PollingKind::First),
        seen.polls(PollingKind::Next),
    );
    Some(match fault {
        Fault::FalseFirstOffset => {
            next == [
                Polled::Refused(4100),
                Polled::Refused(4100),
                Polled::Refused(4100),
            ] && seen.http_first.contains("Invalid offset: 24")
        }
        Fault::EmptyFirst => {
            first == [nothing(), nothing(), nothing()]
                && seen.current_offsets() == [24; 4]
                && seen.polls(PollingKind::Last) == [offsets(24..25)]
                && seen.http_first.contains(r#""current_offset":24,"count":0"#)
        }
        Fault::OffsetJump => {
            next[..3] == [offsets(0..5), offsets(15..20), offsets(20..25)]
                && seen.http_fifth.contains(r#""offset":5,"#)
        }
        Fault::RetentionGap => {
            next[..3] == [offsets(0..5), offsets(15..20), offsets(20..25)]
                && seen.http_fifth.contains(r#""offset":15,"#)
                && !seen.http_fifth.contains(r#""offset":5,"#)
        }
        Fault::OffsetReused => {
            next == [offsets(0..25), offsets(20..25)] && ids_of_offset(seen, 20).len() == 2
        }
        Fault::StoredAhead => {
            let stored = seen.of(code::GET_CONSUMER_OFFSET).next().unwrap();
            next == [nothing(), nothing(), nothing()]
                && matches!(&stored.reply, Some(Reply::ConsumerOffset(offset))
                    if offset.stored_offset == 24 && offset.current_offset == 19)
        }
        Fault::TransientEmpty => {
            next[..3] == [offsets(0..5), nothing(), offsets(5..10)]
                && seen.current_offsets()[1] == 24
        }
        Fault::MaskedError => {
            first.iter().all(|polled| *polled == nothing())
                && seen.http_first.contains("504")
                && seen.http_first.contains("partition_read_timeout")
        }
        Fault::SameBatchAgain => first.len() == 6 && first.iter().all(|it| *it == offsets(0..10)),
        Fault::SkipAfterPurge => {
            next == [offsets(0..5), offsets(5..10), offsets(3..8)]
                && seen.http_first.contains(r#""offset":0,"#)
        }
        Fault::TruncatedBody => {
            let mut polls = seen.of(code::POLL_MESSAGES);
            polls.all(|content| {
                matches!(&content.reply, Some(Reply::PolledMessages(polled))
                    if polled.count == 10 && polled.messages.len() < 10)
            }) && seen.http_first.contains(r#""count":1,"#)
        }
        Fault::DifferentCode => {
            first.iter().all(|polled| *polled == Polled::Refused(20))
                && seen.http_first.contains(r#""id":3007"#)
        }
        _ => return None,
    })
}

/// A group, and commits.
fn groups_show(fault: Fault, dialect: Dialect, seen: &Seen) -> Option<bool> {
    let next = seen.polls(PollingKind::Next);
    Some(match fault {
        Fault::GroupReplay => {
            next == [offsets(0..10), offsets(0..10)]
                && seen.statuses(code::STORE_CONSUMER_OFFSET) == [0]
        }
        Fault::OffsetLost => {
            let get = seen.of(code::GET_CONSUMER_OFFSET).next().unwrap();
            seen.statuses(code::STORE_CONSUMER_OFFSET) == [0]
                && get.reply == Some(Reply::Empty)
                && matches!(&get.request, Some(Request::GetConsumerOffset(get))
                    if get.consumer.kind == ConsumerKind::Group)
        }
        Fault::Fenced => {
            let fenced = seen.of(code::POLL_MESSAGES).filter(|content| {
                matches!(&content.reply, Some(Reply::PolledMessages(polled))
                    if polled.partition_id == u32::MAX)
            });
            let last_sync = seen.of(code::SYNC_CONSUMER_GROUP).next_back().unwrap();
            fenced.count() == 7
                && last_sync.reply == Some(Reply::Empty)
                && seen.of(code::JOIN_CONSUMER_GROUP).count() == 1
        }
        Fault::CommitRefused => {
            let polls = seen.polls(PollingKind::Offset);
            seen.statuses(code::STORE_CONSUMER_OFFSET) == [3024; 5]
                && polls.first() == Some(&offsets(0..5))
                && polls.last() == Some(&offsets(20..25))
        }
        Fault::CommitAfterLeave => {
            // Of what is not the client's, the VSR dialect says that it is not there.
            let code = match dialect {
                Dialect::Classic => 5006,
                Dialect::Vsr => 20,
            };
            seen.statuses(code::LEAVE_CONSUMER_GROUP) == [0]
                && seen.statuses(code::STORE_CONSUMER_OFFSET) == [code; 3]
        }
        Fault::TailStart => {
            seen.polls(PollingKind::Last) == [offsets(24..25)]
                && next == [nothing(), nothing(), nothing()]
                && seen.http_first.contains(r#""offset":0,"#)
        }
        _ => return None,
    })
}

/// Connections, sessions, frames.
fn frames_show(fault: Fault, dialect: Dialect, seen: &Seen) -> Option<bool> {
    let first = seen.polls(PollingKind::First);
    Some(match fault {
        Fault::Eviction => {
            let unasked = seen.exchanges.iter().filter(|exchange| {
                matches!(&exchange.content, Content::Unsolicited(it) if it.eviction.is_some())
            });
            // The client takes each reply for that to its next request.
            unasked.count() == 1 && seen.log.iter().any(|line| line.contains("stale_client"))
        }
        Fault::StatusMoved => {
            let polls: Vec<_> = seen.of(code::POLL_MESSAGES).collect();
            let at = |content: &BinaryContent, place: usize| {
                u32::from_le_bytes(content.reply_frame[place..place + 4].try_into().unwrap())
            };
            polls.len() == 3
                && polls
                    .iter()
                    .all(|it| (at(it, 216), at(it, 224)) == (0, 1009))
                && seen.log.iter().all(|line| line == "poll: done")
        }
        Fault::LeaderElsewhere => {
            let asked = seen.of(code::GET_CLUSTER_METADATA).next().unwrap();
            matches!(&asked.reply, Some(Reply::ClusterMetadata(cluster))
                if cluster.nodes.iter().any(|node| node.role == 0 && node.ip == "192.0.2.1"))
                && seen.binary().next_back().unwrap().code == code::GET_CLUSTER_METADATA
        }
        Fault::DuplicateSend => {
            let sends: Vec<_> = seen.of(code::SEND_MESSAGES).collect();
            let without_reply = sends.iter().filter(|send| send.status.is_none());
            sends.len() == 2
                && without_reply.count() == 1
                && sends[0].request == sends[1].request
                && first == [offsets(0..10)]
        }
        Fault::Retries => {
            let statuses = seen.statuses(code::SEND_MESSAGES);
            let frames = seen.of(code::SEND_MESSAGES).map(|send| &send.request_frame);
            let frames: Vec<_> = frames.collect();
            statuses.len() == 15
                && statuses[..14] == [57; 14]
                && statuses[14] == 0
                && frames.iter().all(|frame| *frame == frames[0])
        }
        Fault::PatRefused => {
            let logins: Vec<_> = match dialect {
                Dialect::Classic => seen.statuses(code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN),
                Dialect::Vsr => {
                    let logins = seen.of(code::LOGIN_REGISTER_WITH_PAT);
                    let evicted = logins.map(|content| content.eviction.is_some());
                    evicted
                        .map(|evicted| if evicted { 53 } else { 0 })
                        .collect()
                }
            };
            logins == [0, 53, 53, 0]
        }
        _ => return None,
    })
}

/// The ids of the messages that polls brought at an offset.
fn ids_of_offset(seen: &Seen, offset: u64) -> BTreeSet<u128> {
    let polls = seen.of(code::POLL_MESSAGES);
    let replies = polls.filter_map(|content| match &content.reply {
        Some(Reply::PolledMessages(polled)) => Some(&polled.messages),
        _ => None,
    });
    let messages = replies.flatten();
    let here = messages.filter(|message| message.header.offset == offset);
    here.map(|message| message.header.id).collect()
}

async fn see(fault: Fault, dialect: Dialect) -> Seen {
    let standin = Standin::start(StandinConfig {
        dialect,
        fault: Some(placed(fault)),
        ..StandinConfig::default()
    })
    .await
    .unwrap();
    let proxy =
        Proxy::start(ProxyConfig::before(standin.tcp).asking(format!("http://{}", standin.http)))
            .await
            .unwrap();
    let mut log = Vec::new();
    let mut said = |line| log.push(line);
    let mut scene = Scene {
        server: proxy.listen(),
        dialect,
        pace: Duration::ZERO,
        log: &mut said,
    };
    let stay = timeout(PATIENCE, play(fault, &mut scene)).await;
    let stay = stay.unwrap().unwrap();
    let journal = Arc::clone(proxy.journal());
    if let Some(expected) = fault.description().finding {
        // Whether it came is looked at later.
        let _ = timeout(PATIENCE, found(&journal, expected)).await;
    }
    drop(stay);
    proxy.shutdown().signal();
    proxy.finished().await;
    let token = bearer_token(standin.http).await;
    let messages = async |query: &str| {
        let partition = BROKEN_PARTITION;
        let path = format!("/streams/{STREAM}/topics/{TOPIC}/messages");
        let query = format!("?consumer_id=7&partition_id={partition}&count=1&{query}");
        get_with_token(standin.http, &format!("{path}{query}"), &token).await
    };
    let seen = Seen {
        exchanges: in_order(&journal),
        http_first: messages("kind=first").await,
        http_fifth: messages("kind=offset&value=5").await,
        log,
        findings: journal.findings().iter().map(|it| it.code).collect(),
    };
    standin.stop().await;
    seen
}

async fn found(journal: &Journal, code: FindingCode) {
    let mut changes = journal.changes();
    while !journal
        .findings()
        .iter()
        .any(|finding| finding.code == code)
    {
        // Too many changes to follow is as good a reason to look again.
        let _ = changes.recv().await;
    }
}

/// The exchanges in the order of their requests.
fn in_order(journal: &Journal) -> Vec<Arc<Exchange>> {
    let mut exchanges = journal.exchanges();
    exchanges.sort_by_key(|exchange| exchange.times.request_first);
    exchanges
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_shows_on_the_wire_in_each_of_its_dialects() {
    let all = Fault::ALL.into_iter().flat_map(|fault| {
        let dialects = fault.description().dialects.iter();
        dialects.map(move |dialect| (fault, *dialect))
    });
    let mut hidden = Vec::new();
    let mut table = Table::of_recordings();
    for some in all.collect::<Vec<_>>().chunks(AT_ONCE) {
        let seen: Vec<_> = some
            .iter()
            .map(|(fault, dialect)| tokio::spawn(see(*fault, *dialect)))
            .collect();
        for ((fault, dialect), seen) in some.iter().zip(seen) {
            let seen = seen.await.unwrap();
            hidden.extend(looked_at(*fault, *dialect, &seen));
            table.add(format!("{fault} {dialect:?}"), seen.findings);
        }
    }
    table.print();
    assert!(hidden.is_empty(), "{}", hidden.join("\n\n"));
}

/// Which scenes and recordings raise which finding.
struct Table {
    rows: Vec<(String, BTreeSet<FindingCode>)>,
}

impl Table {
    fn of_recordings() -> Self {
        let folders = std::fs::read_dir(recording("")).unwrap();
        let files = folders.filter_map(|folder| std::fs::read_dir(folder.unwrap().path()).ok());
        let captures = files
            .flatten()
            .map(|file| file.unwrap().path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "pcap")
            });
        let mut table = Self { rows: Vec::new() };
        for path in captures {
            let name = path
                .strip_prefix(recording(""))
                .unwrap()
                .display()
                .to_string();
            let found = read_capture(&path).unwrap().findings;
            table.add(name, found.iter().map(|finding| finding.code).collect());
        }
        table
    }

    fn add(&mut self, name: String, found: BTreeSet<FindingCode>) {
        self.rows.push((name, found));
    }

    /// One line a finding; each is raised somewhere, and somewhere not.
    fn print(&self) {
        for finding in catalog::all() {
            let by = self
                .rows
                .iter()
                .filter(|(_, found)| found.contains(&finding.code));
            let by: Vec<&str> = by.map(|(name, _)| name.as_str()).collect();
            let scenes = if by.is_empty() {
                "none"
            } else {
                &by.join(", ")
            };
            let tests = tests_that_raise(finding.code);
            println!(
                "{} {}: raised by {} tests of its own and {}; silent on {} of {} scenes and recordings",
                finding.code,
                finding.severity.name(),
                tests,
                scenes,
                self.rows.len() - by.len(),
                self.rows.len(),
            );
            assert!(
                tests > 0,
                "{} has no test that is called for it",
                finding.code
            );
            assert!(
                by.len() < self.rows.len(),
                "{} is always raised",
                finding.code
            );
        }
    }
}

/// Tests that are called for this finding: of the rules, and of what is seen of parallax itself.
fn tests_that_raise(code: FindingCode) -> usize {
    fn of_folder(folder: &Path, name: &str) -> usize {
        let entries = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries
            .map(|path| {
                if path.is_dir() {
                    return of_folder(&path, name);
                }
                std::fs::read_to_string(path).unwrap().matches(name).count()
            })
            .sum()
    }
    let name = format!("fn px{:03}_", code.0);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["../proxy/src/findings", "../proxy/src/live", "tests/faults"];
    folders
        .map(|folder| of_folder(&here.join(folder), &name))
        .iter()
        .sum()
}

/// Prints a row of the table; says what is not as it should be.
fn looked_at(fault: Fault, dialect: Dialect, seen: &Seen) -> Option<String> {
    let expected = fault.description().finding;
    let is_found = expected.is_none_or(|code| seen.findings.contains(&code));
    let is_shown = shows(fault, dialect, seen);
    let codes: Vec<_> = seen.findings.iter().map(ToString::to_string).collect();
    let how = if is_shown { "shown" } else { "hidden" };
    let name = fault.description().name;
    println!("{name:<20} {dialect:?}: {how}; {}", codes.join(" "));
    (!is_found || !is_shown).then(|| {
        let (first, next) = (
            seen.polls(PollingKind::First),
            seen.polls(PollingKind::Next),
        );
        format!(
            "{fault} {dialect:?} is {how}, {expected:?} of {codes:?} expected: First {first:?}, \
             Next {next:?}, log {:?}, HTTP {} and {}",
            seen.log, seen.http_first, seen.http_fifth
        )
    })
}

/// The same clients, and a server without a fault: nothing of it is there.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_fault_the_same_client_sees_none_of_it() {
    for fault in [Fault::OffsetJump, Fault::GroupReplay, Fault::OffsetLost] {
        for dialect in [Dialect::Classic, Dialect::Vsr] {
            let standin = Standin::start(StandinConfig {
                dialect,
                ..StandinConfig::default()
            })
            .await
            .unwrap();
            let mut log = Vec::new();
            let mut said = |line| log.push(line);
            let mut scene = Scene {
                server: standin.tcp,
                dialect,
                pace: Duration::ZERO,
                log: &mut said,
            };
            let _stay = play(fault, &mut scene).await.unwrap();
            let expected = match fault {
                Fault::OffsetJump => "poll: offsets 5 to 9",
                Fault::GroupReplay => "poll: offsets 10 to 19",
                _ => "ask for the stored offset: 9 of 24",
            };
            assert!(log.iter().any(|line| line == expected), "{fault}: {log:?}");
            standin.stop().await;
        }
    }
}
