use std::sync::Arc;

use super::{At, Index, Order, Position, Search, Written, schema};
use crate::activity::Activity;
use crate::exchange::Exchange;
use crate::filter::{Expression, sample};
use crate::journal::{Condition, Taken, Wanted as _};
use crate::verdict::VerdictKind;

const AT: At = At {
    segment: 1,
    offset: 0,
    length: 0,
};

fn empty() -> Index {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch(schema::TABLES).unwrap();
    Index {
        connection,
        latencies: None,
        activity: None,
    }
}

fn put(index: &mut Index, exchanges: Vec<Exchange>, amended: Vec<Exchange>) {
    let mut taken = Taken::default();
    taken.exchanges = exchanges.into_iter().map(Arc::new).collect();
    let amended = amended.into_iter().map(|one| (Arc::new(one), AT));
    let written = Written {
        taken: &taken,
        places: &vec![AT; taken.exchanges.len()],
        amended: &amended.collect::<Vec<_>>(),
        activity: &Activity::default(),
        position: Position::default(),
    };
    index.put(&written).unwrap();
}

/// What it finds, page by page.
fn numbers(index: &Index, mut search: Search, most: usize) -> Vec<u64> {
    let mut found = Vec::new();
    loop {
        let page = search.next(&index.connection, most).unwrap();
        if page.is_empty() {
            return found;
        }
        assert!(page.len() <= most);
        found.extend(page.iter().map(|place| place.n));
    }
}

/// What it finds, and by the runs of exchanges the same in either order.
fn find(index: &Index, condition: &Condition) -> Vec<u64> {
    let search = |order| Search::new(condition, 0..u64::MAX, order);
    let found = numbers(index, search(Order::OldestFirst), usize::MAX >> 1);
    for most in [2, usize::MAX >> 1] {
        let oldest = numbers(index, search(Order::OldestFirst).by_runs(), most);
        assert_eq!(oldest, found, "{condition:?}");
        let mut newest = numbers(index, search(Order::NewestFirst).by_runs(), most);
        newest.reverse();
        assert_eq!(newest, found, "{condition:?}");
    }
    found
}

/// The numbers of those of the exchanges that an index finds, and whether it can tell.
pub(crate) fn found(exchanges: Vec<Exchange>, condition: &Condition) -> (Vec<u64>, bool) {
    let mut index = empty();
    for exchange in exchanges {
        // A run for each, so that it matters what is asked of runs.
        put(&mut index, vec![exchange], Vec::new());
    }
    let search = Search::new(condition, 0..u64::MAX, Order::OldestFirst);
    (find(&index, condition), search.is_exact())
}

#[test]
fn what_is_rare_is_found_among_many_and_so_is_what_came_late() {
    let mut index = empty();
    let numbered = |exchange: &Exchange, n| Exchange {
        n,
        verdict: None,
        ..exchange.clone()
    };
    let samples = sample::all();
    let usual = &samples[0];
    let rare = samples.iter().find(|one| one.error().is_some()).unwrap();
    assert!(usual.error().is_none());
    let exchanges = (1..=1000).map(|n| numbered(if n % 300 == 7 { rare } else { usual }, n));
    put(&mut index, exchanges.collect(), Vec::new());
    let condition = |text: &str| text.parse::<Expression>().unwrap().condition();
    let refused = condition("status > 0");
    assert_eq!(find(&index, &refused), [7, 307, 607, 907]);
    assert_eq!(find(&index, &condition("n > 0")).len(), 1000);
    let judged = samples.iter().find_map(|one| one.verdict.clone());
    let agree = crate::Verdict {
        kind: VerdictKind::Agree,
        ..judged.unwrap()
    };
    let agree = |n| Exchange {
        verdict: Some(agree.clone()),
        ..numbered(usual, n)
    };
    put(&mut index, Vec::new(), vec![agree(3), agree(640)]);
    assert_eq!(find(&index, &condition("verdict == agree")), [3, 640]);
    index.drop_before(400).unwrap();
    assert_eq!(find(&index, &condition("verdict == agree")), [640]);
    assert_eq!(find(&index, &refused), [607, 907]);
    let runs = "SELECT count(*) FROM seen WHERE last < 400";
    let count = |row: &rusqlite::Row<'_>| row.get::<_, u64>(0);
    assert_eq!(index.connection.query_row(runs, [], count).unwrap(), 0);
}
