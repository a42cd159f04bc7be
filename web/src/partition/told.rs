//! Reading a partition's life from the journal.

use std::sync::Arc;

use parallax_captures::limits::PARTITION_EXCHANGES;
use parallax_captures::partition::{Life, Names, OfPartition, Partition};
use parallax_captures::{Exchange, Journal};
use parallax_codec::primitives::Identifier;

use super::range::{Range, Window};
use crate::app::App;
use crate::limits::{AROUND_EXCHANGES, SAME_PARTITIONS_SHOWN};
use crate::problem::Problem;

/// A partition's life in a time, and what else is to be said of it.
#[derive(Debug)]
pub(crate) struct Told {
    /// By the names that are known of it.
    pub(crate) partition: Partition,
    /// By its numbers, where these are known to be the same.
    pub(crate) also: Option<Partition>,
    /// Other partitions that may be the same, which is not known.
    pub(crate) perhaps: Vec<Partition>,
    /// What it is told from begins before the window: what follows is not without
    /// what came before.
    pub(crate) life: Life,
    /// What is drawn.
    pub(crate) window: Window,
    /// The number before which there are exchanges that were not read.
    pub(crate) older: Option<u64>,
    /// The number of the last exchange read.
    pub(crate) newest: u64,
}

/// Exchanges that are read beyond a time, as they are numbered by when they ended.
const OUT_OF_ORDER: u64 = 256;

/// What is known of `partition` in a time.
///
/// # Errors
/// There is nothing of it, or the search ended before its time.
pub(crate) async fn told(app: &App, partition: Partition, range: Range) -> Result<Told, Problem> {
    app.search(move |journal| read(journal, &partition, range))
        .await?
}

fn read(journal: &Journal, partition: &Partition, range: Range) -> Result<Told, Problem> {
    let names = journal.names();
    let wanted = OfPartition::new(partition, &names);
    let newest = journal.totals().exchanges;
    let range = match range.around {
        Some(n) => around(journal, &wanted, n)?,
        None => range,
    };
    let before = range
        .to
        .map(|to| journal.number_at(to).saturating_add(OUT_OF_ORDER));
    let listed = journal.list(before, PARTITION_EXCHANGES, &wanted);
    let oldest_first = listed.exchanges.into_iter().rev();
    let until = range.to;
    let in_time = oldest_first.filter(|one| until.is_none_or(|to| one.times.request_first <= to));
    let life = Life::of(partition, &names, in_time);
    if life.exchanges == 0 && range.is_whole() {
        let what = format!(
            "Nothing that is kept is about {partition}. /partitions lists those of which something is."
        );
        return Err(Problem::not_found(what));
    }
    let window = match (life.span(), range.from, range.to) {
        (_, Some(from), Some(to)) => Window::new(from, to),
        (Some((first, _)), None, Some(to)) => Window::new(first, to),
        (Some((_, last)), Some(from), None) => Window::new(from, last),
        (Some((first, last)), None, None) => Window::new(first, last).with_room(),
        (None, from, to) => {
            let at = from.or(to).unwrap_or_default();
            Window::new(at, at)
        }
    };
    let (stream, topic) = names.named(&partition.stream, &partition.topic);
    let partition = Partition {
        stream,
        topic,
        id: partition.id,
    };
    Ok(Told {
        also: wanted.names().last().filter(|name| *name != partition),
        perhaps: perhaps(journal, &names, &wanted),
        life,
        window,
        older: listed.more,
        newest,
        partition,
    })
}

/// The time of some exchanges of the partition before and after one.
fn around(journal: &Journal, wanted: &OfPartition, n: u64) -> Result<Range, Problem> {
    let middle = journal.exchange(n).ok_or_else(|| {
        Problem::not_found(format!(
            "There is no exchange {n} among those that are kept."
        ))
    })?;
    let earlier = journal.latest(Some(n), AROUND_EXCHANGES, wanted);
    let mut later: Arc<Exchange> = Arc::clone(&middle);
    for _ in 0..AROUND_EXCHANGES {
        match journal.next_after(later.n, wanted) {
            Some(next) => later = next,
            None => break,
        }
    }
    let first = earlier.last().unwrap_or(&middle).times.request_first;
    let last = later
        .times
        .reply
        .map_or(later.times.request_last, |(_, last)| last);
    let window = Window::new(first.min(middle.times.request_first), last).with_room();
    Ok(Range {
        from: Some(window.from),
        to: Some(window.to),
        around: None,
    })
}

/// Partitions of the same number whose topic is named in the other way: by number, where
/// this one is by name.
fn perhaps(journal: &Journal, names: &Names, wanted: &OfPartition) -> Vec<Partition> {
    let own: Vec<_> = wanted.names().collect();
    let is_same_or_may_be = |one: &Partition| {
        let may_be = |left: &[Identifier], right: &[Identifier]| {
            let one_way = left.len() == 1 && right.len() == 1;
            left.iter().any(|name| right.contains(name))
                || (one_way && is_by_number(left) != is_by_number(right))
        };
        own.iter().any(|known| {
            let streams = names.streams(&one.stream);
            let topics = names.topics(&one.stream, &one.topic);
            may_be(&streams, &names.streams(&known.stream))
                && may_be(&topics, &names.topics(&known.stream, &known.topic))
        })
    };
    let partitions = journal.partitions();
    let mut others: Vec<_> = partitions
        .each()
        .filter_map(|((stream, topic, id), _)| {
            let id = id.filter(|id| own.first().is_some_and(|first| first.id == *id))?;
            Some(Partition { stream, topic, id })
        })
        .filter(|one| !own.contains(one) && is_same_or_may_be(one))
        .collect();
    others.sort();
    others.truncate(SAME_PARTITIONS_SHOWN);
    others
}

/// Whether only its number is known: it may have any name.
fn is_by_number(names: &[Identifier]) -> bool {
    matches!(names, [Identifier::Numeric(_)])
}
