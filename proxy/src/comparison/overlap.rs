//! Messages of one partition, from both sides, laid beside each other by offset.

use std::collections::{BTreeMap, HashSet};

use parallax_captures::known::KnownDifference;
use parallax_captures::limits::VERDICT_DIFFERENCES;
use parallax_captures::poll::PolledMessage;
use parallax_captures::verdict::Difference;

use super::fields;

/// How two lists of messages of one partition lie to each other.
#[derive(Debug, Default)]
pub(super) struct Overlap {
    /// Messages at offsets that both have.
    pub(super) both: usize,
    /// Offsets that only the one asked first has, below all of the other's: first
    /// and last.
    pub(super) gone: Option<(u64, u64)>,
    /// What differs where both ought to have the same, at most [`VERDICT_DIFFERENCES`].
    pub(super) differences: Vec<Difference>,
    /// Whether everything that the one asked later has at the other's offsets was
    /// appended after all that the other saw: the log was begun anew.
    pub(super) begun_anew: bool,
    /// Known, harmless differences that were met.
    pub(super) known: Vec<&'static KnownDifference>,
}

impl Overlap {
    /// Compares the messages at the same offsets. Offsets that lie below the
    /// first one of whoever was asked later are gone by then and differ in
    /// nothing; a hole in between, or a lower offset that was there all along,
    /// is a difference.
    pub(super) fn of(tcp: &[PolledMessage], http: &[PolledMessage], http_is_later: bool) -> Self {
        let mut overlap = Self {
            begun_anew: if http_is_later {
                is_begun_anew(tcp, http)
            } else {
                is_begun_anew(http, tcp)
            },
            ..Self::default()
        };
        let (Some(tcp_ends), Some(http_ends)) = (ends(tcp), ends(http)) else {
            overlap.gone = ends(if http_is_later { tcp } else { http });
            return overlap;
        };
        let mut by_offset = BTreeMap::new();
        for message in http {
            by_offset.entry(message.offset).or_insert(message);
        }
        let mut gone = Vec::new();
        for (index, message) in tcp.iter().enumerate() {
            if overlap.differences.len() >= VERDICT_DIFFERENCES {
                break;
            }
            let there = by_offset.get(&message.offset);
            let beside = http.get(index).filter(|beside| is_moved(message, beside));
            if let Some(there) = there {
                overlap.both += 1;
                fields::message(index, message, there, &mut overlap.differences);
                overlap.meet(fields::known(&message.user_headers, &there.user_headers));
            } else if let Some(beside) = beside {
                overlap.differ(index, message.offset, beside.offset);
            } else if message.offset < http_ends.0 && http_is_later {
                gone.push(message.offset);
            } else if message.offset < http_ends.1 {
                overlap.lack(index, Some(message.offset), None);
            }
        }
        let known: HashSet<u64> = tcp.iter().map(|message| message.offset).collect();
        for offset in by_offset.keys().filter(|offset| !known.contains(offset)) {
            if *offset < tcp_ends.0 && !http_is_later {
                gone.push(*offset);
            } else if *offset < tcp_ends.1 {
                overlap.lack(0, None, Some(*offset));
            }
        }
        overlap.gone = gone.iter().min().copied().zip(gone.iter().max().copied());
        overlap.differences.truncate(VERDICT_DIFFERENCES);
        overlap
    }

    fn meet(&mut self, known: Option<&'static KnownDifference>) {
        let new = known.filter(|known| !self.known.contains(known));
        self.known.extend(new);
    }

    fn differ(&mut self, index: usize, tcp: u64, http: u64) {
        self.differences.push(Difference {
            field: format!("messages[{index}].offset"),
            tcp: tcp.to_string(),
            http: http.to_string(),
        });
    }

    fn lack(&mut self, index: usize, tcp: Option<u64>, http: Option<u64>) {
        let told = |offset: Option<u64>| {
            offset.map_or_else(
                || "no such message".to_owned(),
                |offset| format!("offset {offset}"),
            )
        };
        let field = match (tcp, http) {
            (None, Some(offset)) => format!("message at offset {offset}"),
            _ => format!("messages[{index}].offset"),
        };
        self.differences.push(Difference {
            field,
            tcp: told(tcp),
            http: told(http),
        });
    }
}

/// First and last offset.
fn ends(messages: &[PolledMessage]) -> Option<(u64, u64)> {
    let first = messages.iter().map(|message| message.offset).min();
    first.zip(messages.iter().map(|message| message.offset).max())
}

/// The same message, at another offset.
fn is_moved(tcp: &PolledMessage, http: &PolledMessage) -> bool {
    (tcp.id, tcp.timestamp, tcp.origin_timestamp)
        == (http.id, http.timestamp, http.origin_timestamp)
        && tcp.payload == http.payload
}

/// Both times are the server's, so no two clocks are compared.
fn is_begun_anew(earlier: &[PolledMessage], later: &[PolledMessage]) -> bool {
    let newest = earlier.iter().map(|message| message.timestamp).max();
    let last = earlier.iter().map(|message| message.offset).max();
    let ids: HashSet<u128> = earlier.iter().map(|message| message.id).collect();
    let is_new =
        |message: &PolledMessage| Some(message.timestamp) > newest && !ids.contains(&message.id);
    let at_the_same = |message: &&PolledMessage| Some(message.offset) <= last;
    let mut there = later.iter().filter(at_the_same).peekable();
    there.peek().is_some() && there.all(is_new)
}
