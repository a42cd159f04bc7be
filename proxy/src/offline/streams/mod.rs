//! Each stream of a capture to the reader that understands it.

mod role;
mod stream;

use std::collections::{BTreeSet, HashMap};
use std::net::SocketAddr;

use jiff::Timestamp;
use parallax_captures::ConnectionId;
use parallax_captures::import::reassembly::{StreamEvent, StreamEventKind};

use self::stream::Stream;
pub(super) use self::stream::note;
use super::window::Item;

/// The open streams.
#[derive(Default)]
pub(super) struct Streams {
    open: HashMap<u64, Open>,
    /// Those that have something to tell of a time that is past, by that time.
    untold: BTreeSet<(Timestamp, u64)>,
    found: Found,
}

/// What streams held.
#[derive(Default)]
pub(super) struct Found {
    /// In no order.
    pub(super) items: Vec<(Timestamp, Item)>,
    /// What is to be said beside them.
    pub(super) notes: Vec<String>,
    /// Streams that turned out to be nothing of Iggy's, and their ends.
    pub(super) foreign: Vec<(u64, SocketAddr, SocketAddr)>,
    /// Streams that are over, and showed nothing of Iggy's.
    pub(super) passed_over: u64,
}

struct Open {
    stream: Stream,
    /// What stands in `Streams::untold`.
    untold_since: Option<Timestamp>,
}

impl Streams {
    pub(super) fn push(&mut self, event: StreamEvent) {
        let id = event.stream;
        if let StreamEventKind::Opened {
            client,
            server,
            mid_stream,
        } = event.kind
        {
            let conn = ConnectionId(id + 1);
            let stream = Stream::opened(conn, client, server, mid_stream, event.time);
            let stream = Open {
                stream,
                untold_since: None,
            };
            self.open.insert(id, stream);
            return;
        }
        let Some(open) = self.open.get_mut(&id) else {
            return;
        };
        let is_over = matches!(event.kind, StreamEventKind::Closed { .. });
        let was_foreign = open.stream.is_foreign();
        open.stream.push(event, &mut self.found);
        if open.stream.is_foreign() && !was_foreign {
            let (one, other) = open.stream.ends();
            self.found.foreign.push((id, one, other));
        }
        let since = open.stream.untold_since().filter(|_| !is_over);
        if since != open.untold_since {
            if let Some(before) = open.untold_since {
                self.untold.remove(&(before, id));
            }
            self.untold.extend(since.map(|since| (since, id)));
            open.untold_since = since;
        }
        if is_over && let Some(open) = self.open.remove(&id) {
            open.stream.over(&mut self.found);
        }
    }

    /// The time before which no open stream has anything to tell, but for what comes
    /// with later packets; `None` where none has.
    pub(super) fn untold_since(&self) -> Option<Timestamp> {
        self.untold.first().map(|(since, _)| *since)
    }

    /// What came of the streams since this was asked last.
    pub(super) fn take_found(&mut self) -> Found {
        std::mem::take(&mut self.found)
    }
}

impl Found {
    fn item(&mut self, time: Timestamp, item: Item) {
        self.items.push((time, item));
    }
}

#[cfg(test)]
mod tests {
    use parallax_codec::classic::{encode_reply, encode_request};
    use parallax_codec::{Direction, code};

    use parallax_captures::import::reassembly::Ending;

    use super::*;
    use crate::findings::Happening;
    use Direction::{ToClient, ToServer};

    /// What happens, a second each, to a stream of a client that has sent a ping.
    fn happenings(events: Vec<StreamEventKind>) -> Vec<(i64, Happening)> {
        let mut streams = Streams::default();
        let opened = StreamEventKind::Opened {
            client: "10.0.0.7:40000".parse().unwrap(),
            server: "10.0.0.1:8090".parse().unwrap(),
            mid_stream: false,
        };
        let ping = StreamEventKind::Bytes {
            direction: ToServer,
            bytes: encode_request(code::PING, &[]),
        };
        let events = [opened, ping].into_iter().chain(events);
        for (second, kind) in (1..).zip(events) {
            let time = Timestamp::from_second(second).unwrap();
            let stream = 0;
            streams.push(StreamEvent { stream, time, kind });
        }
        let told = streams.take_found().items.into_iter();
        told.filter_map(|(time, item)| match item {
            Item::Happened(event) => Some((time.as_second(), event.what)),
            _ => None,
        })
        .collect()
    }

    fn opening() -> (i64, Happening) {
        let client = "10.0.0.7:40000".parse().unwrap();
        let reached = "10.0.0.1:8090".parse().unwrap();
        (1, Happening::Opened { client, reached })
    }

    fn ends(direction: Direction) -> StreamEventKind {
        StreamEventKind::HalfClosed { direction }
    }

    #[test]
    fn who_ended_a_stream_and_what_it_left_open_is_told() {
        let finished = || StreamEventKind::Closed {
            how: Ending::Finished,
        };
        let answer = StreamEventKind::Bytes {
            direction: ToClient,
            bytes: encode_reply(0, &[]),
        };
        let told = happenings(vec![answer, ends(ToServer), ends(ToClient), finished()]);
        let by_client = true;
        let server_ended = |waiting| Happening::ServerEnded { waiting };
        assert_eq!(
            told,
            [
                opening(),
                (5, server_ended(0)),
                (6, Happening::Closed { by_client })
            ]
        );
        let told = happenings(vec![ends(ToClient), ends(ToServer), finished()]);
        let by_client = false;
        assert_eq!(
            told,
            [
                opening(),
                (3, server_ended(1)),
                (5, Happening::Closed { by_client })
            ]
        );
        let reset = StreamEventKind::Closed {
            how: Ending::Reset {
                direction: ToClient,
            },
        };
        assert_eq!(
            happenings(vec![reset]),
            [
                opening(),
                (3, server_ended(1)),
                (3, Happening::Closed { by_client })
            ]
        );
    }

    #[test]
    fn a_capture_that_ends_ends_no_connection() {
        let cut = StreamEventKind::Closed {
            how: Ending::CaptureEnded,
        };
        assert_eq!(happenings(vec![cut]), [opening()]);
    }
}
