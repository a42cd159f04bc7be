//! Two captures, exchange by exchange.

use std::sync::Arc;

use super::align::align;
use super::compare::{Comparer, FieldDifference};
use super::connections::{ConnectionPair, Used, pairs, used};
use super::key::RequestKey;
use super::rules::Rules;
use crate::connection::Connection;
use crate::exchange::Exchange;

/// A capture, as one of two.
#[derive(Debug, Clone, Copy)]
pub struct CaptureSide<'a> {
    /// Its exchanges, in the order in which they were asked.
    pub exchanges: &'a [Arc<Exchange>],
    /// Its connections.
    pub connections: &'a [Connection],
}

/// What is told, one after the other.
#[derive(Debug)]
pub enum Row<'a> {
    /// Which connections stand side by side from here on.
    Connections {
        /// The two.
        pair: ConnectionPair,
        /// Whether their exchanges are aligned in their order: else they differ by
        /// too many for that, and equal requests are paired by occurrence.
        is_in_order: bool,
    },
    /// Two exchanges that differ.
    Differs {
        /// That of the first capture.
        a: &'a Arc<Exchange>,
        /// That of the second.
        b: &'a Arc<Exchange>,
        /// In what.
        differences: Vec<FieldDifference>,
    },
    /// An exchange that the first capture alone has.
    OnlyInA(&'a Arc<Exchange>),
    /// An exchange that the second alone has.
    OnlyInB(&'a Arc<Exchange>),
}

/// How much was told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Pairs of exchanges without a difference.
    pub equal: u64,
    /// Pairs with one or more.
    pub differing: u64,
    /// Their fields that differ.
    pub differences: u64,
    /// Exchanges that the first capture alone has.
    pub only_in_a: u64,
    /// Exchanges that the second alone has.
    pub only_in_b: u64,
}

impl Counted {
    /// Whether anything differs.
    pub const fn is_different(&self) -> bool {
        self.differing + self.only_in_a + self.only_in_b > 0
    }
}

/// Compares two captures, and tells each row as it is found.
pub fn compare_captures<'a>(
    a: CaptureSide<'a>,
    b: CaptureSide<'a>,
    rules: &Rules,
    comparer: &mut Comparer<'_>,
    mut tell: impl FnMut(Row<'a>),
) -> Counted {
    let (a, b) = (
        used(a.exchanges, a.connections),
        used(b.exchanges, b.connections),
    );
    let mut counted = Counted::default();
    for (i, j, how) in pairs(&a, &b) {
        let (first, second) = (i.map(|i| &a[i]), j.map(|j| &b[j]));
        let [a_keys, b_keys] = [first, second].map(|one| keys(one, rules));
        let aligned = align(&a_keys, &b_keys);
        let pair = ConnectionPair {
            a: first.map(|one| one.id),
            b: second.map(|one| one.id),
            how,
        };
        tell(Row::Connections {
            pair,
            is_in_order: aligned.is_in_order,
        });
        for (i, j) in aligned.pairs {
            let a = i.and_then(|i| first.map(|one| one.exchanges[i]));
            let b = j.and_then(|j| second.map(|one| one.exchanges[j]));
            if let Some(row) = counted.row(a, b, comparer) {
                tell(row);
            }
        }
    }
    counted
}

impl Counted {
    fn row<'a>(
        &mut self,
        a: Option<&'a Arc<Exchange>>,
        b: Option<&'a Arc<Exchange>>,
        comparer: &mut Comparer<'_>,
    ) -> Option<Row<'a>> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let differences = comparer.compare(a, b);
                if differences.is_empty() {
                    self.equal += 1;
                    return None;
                }
                self.differing += 1;
                self.differences += differences.len() as u64;
                Some(Row::Differs { a, b, differences })
            }
            (Some(a), None) => {
                self.only_in_a += 1;
                Some(Row::OnlyInA(a))
            }
            (None, Some(b)) => {
                self.only_in_b += 1;
                Some(Row::OnlyInB(b))
            }
            (None, None) => None,
        }
    }
}

fn keys(connection: Option<&Used<'_>>, rules: &Rules) -> Vec<RequestKey> {
    let exchanges = connection.into_iter().flat_map(|one| &one.exchanges);
    exchanges
        .map(|exchange| RequestKey::of(exchange, rules))
        .collect()
}
