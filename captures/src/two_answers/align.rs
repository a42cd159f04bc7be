//! Messages at the same offset beside each other.

use std::collections::BTreeMap;

use super::{Aligned, BytesDiffer, fields};
use crate::latency::Side;
use crate::limits::DIFFERENCE_QUOTED_BYTES;
use crate::poll::PolledMessage;

/// Both lists by offset; of several messages with one offset the first counts, and
/// the others are their side's alone.
///
/// Each list comes with how many messages its side was asked for.
pub(super) fn align(
    (tcp, tcp_count): (&[PolledMessage], u32),
    (http, http_count): (&[PolledMessage], u32),
) -> Vec<Aligned> {
    let tcp_asked = beyond(tcp, tcp_count, http_count);
    let http_asked = beyond(http, http_count, tcp_count);
    let mut sides: BTreeMap<(u64, usize), (Option<usize>, Option<usize>)> = BTreeMap::new();
    for (place, at) in numbered(tcp) {
        sides.entry(at).or_default().0 = Some(place);
    }
    for (place, at) in numbered(http) {
        sides.entry(at).or_default().1 = Some(place);
    }
    let mut aligned: Vec<Aligned> = Vec::new();
    let mut last = None;
    for ((offset, _), pair) in sides {
        let next = match pair {
            (Some(tcp_place), Some(http_place)) => {
                let (one, other) = (&tcp[tcp_place], &http[http_place]);
                if fields::same_message(one, other) {
                    Aligned::Equal(tcp_place..tcp_place + 1)
                } else {
                    Aligned::Differs {
                        offset,
                        tcp: tcp_place,
                        http: http_place,
                        fields: fields::of_messages(one, other),
                    }
                }
            }
            (Some(place), None) if http_asked.is_some_and(|last| offset > last) => {
                Aligned::NotAsked(Side::Tcp, place..place + 1)
            }
            (None, Some(place)) if tcp_asked.is_some_and(|last| offset > last) => {
                Aligned::NotAsked(Side::Http, place..place + 1)
            }
            (Some(place), None) => Aligned::OnlyTcp(place..place + 1),
            (None, Some(place)) => Aligned::OnlyHttp(place..place + 1),
            (None, None) => continue,
        };
        let follows = last.is_some_and(|last: u64| offset.saturating_sub(last) <= 1);
        last = Some(offset);
        if !follows || !joined(aligned.last_mut(), &next) {
            aligned.push(next);
        }
    }
    aligned
}

/// The last offset of a side that gave all that it was asked for, where the other was
/// asked for more: what the other has after it is no difference.
fn beyond(messages: &[PolledMessage], count: u32, others: u32) -> Option<u64> {
    let gave_all = messages.len() >= usize::try_from(count).unwrap_or(usize::MAX);
    let last = messages.iter().map(|message| message.offset).max();
    last.filter(|_| gave_all && count < others)
}

/// Each message's place under its offset, and how many with that offset came
/// before it.
fn numbered(messages: &[PolledMessage]) -> Vec<(usize, (u64, usize))> {
    let mut met: BTreeMap<u64, usize> = BTreeMap::new();
    let numbered = messages.iter().enumerate().map(|(place, message)| {
        let before = met.entry(message.offset).or_default();
        let at = (message.offset, *before);
        *before += 1;
        (place, at)
    });
    numbered.collect()
}

/// Adds `next` to the run before it, where it goes on there.
fn joined(before: Option<&mut Aligned>, next: &Aligned) -> bool {
    let (run, next) = match (before, next) {
        (Some(Aligned::Equal(run)), Aligned::Equal(next))
        | (Some(Aligned::OnlyTcp(run)), Aligned::OnlyTcp(next))
        | (Some(Aligned::OnlyHttp(run)), Aligned::OnlyHttp(next)) => (run, next),
        (Some(Aligned::NotAsked(side, run)), Aligned::NotAsked(same, next)) if side == same => {
            (run, next)
        }
        _ => return false,
    };
    let follows = run.end == next.start;
    if follows {
        run.end = next.end;
    }
    follows
}

/// The first byte in which two runs differ; where one is the beginning of the
/// other, the first that it lacks. `None` of equal ones.
pub fn first_difference(tcp: &[u8], http: &[u8]) -> Option<BytesDiffer> {
    let pairs = tcp.iter().zip(http);
    let common = tcp.len().min(http.len());
    let at = pairs.take_while(|(tcp, http)| tcp == http).count();
    if at == common && tcp.len() == http.len() {
        return None;
    }
    // A few equal bytes before it tell where one is.
    let from = at.saturating_sub(DIFFERENCE_QUOTED_BYTES / 4);
    let quote = |bytes: &[u8]| {
        let bytes = bytes.get(from..).unwrap_or_default();
        bytes[..bytes.len().min(DIFFERENCE_QUOTED_BYTES)].to_vec()
    };
    Some(BytesDiffer {
        at,
        from,
        tcp: quote(tcp),
        http: quote(http),
    })
}
