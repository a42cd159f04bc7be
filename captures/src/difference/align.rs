//! Two sequences of exchanges, side by side.

use std::collections::{HashMap, HashSet, VecDeque};

use super::key::RequestKey;
use crate::limits::ALIGNED_EDITS;

/// Two sequences, aligned.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Alignment {
    /// Indices of what stands side by side, in the first sequence's order; every
    /// index of both once.
    pub(super) pairs: Vec<(Option<usize>, Option<usize>)>,
    /// Whether pairs keep their order in both: else there were too many that only
    /// one sequence has, and equal requests were paired by occurrence.
    pub(super) is_in_order: bool,
}

/// Aligns by what was asked: first the longest sequence of equal requests that both
/// have, so that one more in between moves nothing; then, between these, requests of
/// one command about the same thing. What SDKs send of themselves is left out of the
/// order: the first stands beside the first.
pub(super) fn align(a: &[RequestKey], b: &[RequestKey]) -> Alignment {
    let asked = |keys: &[RequestKey]| {
        let asked = (0..keys.len()).filter(|i| !keys[*i].is_the_sdks_own);
        asked.collect::<Vec<_>>()
    };
    let (asked_a, asked_b) = (asked(a), asked(b));
    let exact = |keys: &[RequestKey], asked: &[usize]| {
        asked.iter().map(|i| keys[*i].exact).collect::<Vec<_>>()
    };
    let common = longest_common(&exact(a, &asked_a), &exact(b, &asked_b), ALIGNED_EDITS);
    let is_in_order = common.is_some();
    let (mut partner_of_a, mut is_paired_b) = (vec![None; a.len()], vec![false; b.len()]);
    let mut pair = |pairs: Vec<(usize, usize)>| {
        for (i, j) in pairs {
            (partner_of_a[i], is_paired_b[j]) = (Some(j), true);
        }
    };
    let about = |a_free: &[usize], b_free: &[usize]| {
        by_occurrence(a_free, b_free, |i| a[i].about, |j| b[j].about)
    };
    let exact = |a_free: &[usize], b_free: &[usize]| {
        by_occurrence(a_free, b_free, |i| a[i].exact, |j| b[j].exact)
    };
    if let Some(common) = common {
        let end = (asked_a.len(), asked_b.len());
        let (mut i, mut j) = (0, 0);
        for (next_i, next_j) in common.iter().copied().chain([end]) {
            pair(about(&asked_a[i..next_i], &asked_b[j..next_j]));
            (i, j) = (next_i + 1, next_j + 1);
        }
        pair(
            common
                .iter()
                .map(|(i, j)| (asked_a[*i], asked_b[*j]))
                .collect(),
        );
    } else {
        let equal = exact(&asked_a, &asked_b);
        let (mut a_left, mut b_left) = (asked_a, asked_b);
        let (paired_a, paired_b): (HashSet<_>, HashSet<_>) = equal.iter().copied().unzip();
        a_left.retain(|i| !paired_a.contains(i));
        b_left.retain(|j| !paired_b.contains(j));
        pair(about(&a_left, &b_left));
        pair(equal);
    }
    let own = |keys: &[RequestKey]| {
        let own = (0..keys.len()).filter(|i| keys[*i].is_the_sdks_own);
        own.collect::<Vec<_>>()
    };
    pair(exact(&own(a), &own(b)));
    Alignment {
        pairs: side_by_side(&partner_of_a, &is_paired_b),
        is_in_order,
    }
}

/// The first of a key with the first, the second with the second ...
fn by_occurrence(
    a: &[usize],
    b: &[usize],
    key_of_a: impl Fn(usize) -> u64,
    key_of_b: impl Fn(usize) -> u64,
) -> Vec<(usize, usize)> {
    let mut waiting: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for j in b {
        waiting.entry(key_of_b(*j)).or_default().push_back(*j);
    }
    let partner = |i: &usize| {
        let partner = waiting.get_mut(&key_of_a(*i))?.pop_front()?;
        Some((*i, partner))
    };
    a.iter().filter_map(partner).collect()
}

/// What only the second has stands before the pair that follows it there.
fn side_by_side(
    partner_of_a: &[Option<usize>],
    is_paired_b: &[bool],
) -> Vec<(Option<usize>, Option<usize>)> {
    let mut pairs = Vec::with_capacity(partner_of_a.len().max(is_paired_b.len()));
    let mut only_b = (0..is_paired_b.len())
        .filter(|j| !is_paired_b[*j])
        .peekable();
    for (i, partner) in partner_of_a.iter().enumerate() {
        if let Some(partner) = partner {
            while let Some(j) = only_b.next_if(|j| j < partner) {
                pairs.push((None, Some(j)));
            }
        }
        pairs.push((Some(i), *partner));
    }
    pairs.extend(only_b.map(|j| (None, Some(j))));
    pairs
}

/// Indices of a longest common subsequence; `None` where the sequences differ by
/// more than `most` elements. E. Myers, "An O(ND) Difference Algorithm", 1986.
fn longest_common(a: &[u64], b: &[u64], most: usize) -> Option<Vec<(usize, usize)>> {
    let most = most.min(a.len() + b.len());
    // How far each diagonal (i - j, from -most - 1 to most + 1) has come in `a`.
    let mut reached = vec![0_u32; 2 * most + 3];
    let at = |edits: usize, step: usize| most + 1 + 2 * step - edits;
    let mut rounds: Vec<Box<[u32]>> = Vec::new();
    for edits in 0..=most {
        rounds.push(reached[most + 1 - edits..=most + 1 + edits].into());
        for step in 0..=edits {
            let diagonal = at(edits, step);
            let comes_down =
                step == 0 || step < edits && reached[diagonal - 1] < reached[diagonal + 1];
            let mut i = match (edits, comes_down) {
                (0, _) => 0,
                (_, true) => reached[diagonal + 1] as usize,
                (_, false) => reached[diagonal - 1] as usize + 1,
            };
            // i - j is the diagonal's number.
            let mut j = (i + most + 1).checked_sub(diagonal)?;
            while i < a.len() && j < b.len() && a[i] == b[j] {
                (i, j) = (i + 1, j + 1);
            }
            reached[diagonal] = u32::try_from(i).ok()?;
            if i >= a.len() && j >= b.len() {
                return Some(backwards(a.len(), b.len(), &rounds));
            }
        }
    }
    None
}

/// The way back from the end, round by round: what was stepped over diagonally.
fn backwards(mut i: usize, mut j: usize, rounds: &[Box<[u32]>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (edits, before) in rounds.iter().enumerate().skip(1).rev() {
        // In `before`, diagonal k stands at k + edits.
        let diagonal = i + edits - j;
        let comes_down =
            diagonal == 0 || diagonal < 2 * edits && before[diagonal - 1] < before[diagonal + 1];
        let previous = if comes_down {
            diagonal + 1
        } else {
            diagonal - 1
        };
        let from = before[previous] as usize;
        let from_j = from + edits - previous;
        let begun = if comes_down { from } else { from + 1 };
        while i > begun {
            (i, j) = (i - 1, j - 1);
            pairs.push((i, j));
        }
        (i, j) = (from, from_j);
    }
    while i > 0 {
        (i, j) = (i - 1, j - 1);
        pairs.push((i, j));
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The length of a longest common subsequence, by the table that every textbook
    /// has.
    fn length_by_table(a: &[u64], b: &[u64]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut corner = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y {
                    corner + 1
                } else {
                    above.max(row[j])
                };
                corner = above;
            }
        }
        row[b.len()]
    }

    const PING: u64 = 1;

    fn keys(numbers: &[u64]) -> Vec<RequestKey> {
        let key = |number: &u64| RequestKey {
            exact: *number,
            about: number / 4,
            is_the_sdks_own: *number == PING,
        };
        numbers.iter().map(key).collect()
    }

    proptest! {
        #[test]
        fn the_common_sequence_is_common_rising_and_a_longest_one(
            a in prop::collection::vec(0_u64..6, 0..40),
            b in prop::collection::vec(0_u64..6, 0..40),
        ) {
            let found = longest_common(&a, &b, usize::MAX).unwrap();
            prop_assert!(found.iter().all(|(i, j)| a[*i] == b[*j]));
            prop_assert!(found.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            prop_assert_eq!(found.len(), length_by_table(&a, &b));
        }

        #[test]
        fn every_exchange_stands_in_one_pair(
            a in prop::collection::vec(0_u64..20, 0..40),
            b in prop::collection::vec(0_u64..20, 0..40),
        ) {
            let aligned = align(&keys(&a), &keys(&b));
            let mut firsts: Vec<_> = aligned.pairs.iter().filter_map(|pair| pair.0).collect();
            let mut seconds: Vec<_> = aligned.pairs.iter().filter_map(|pair| pair.1).collect();
            firsts.sort_unstable();
            seconds.sort_unstable();
            prop_assert_eq!(firsts, (0..a.len()).collect::<Vec<_>>());
            prop_assert_eq!(seconds, (0..b.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn one_request_more_moves_none_of_the_others() {
        let aligned = align(&keys(&[0, 10, 20, 10, 30]), &keys(&[0, 40, 10, 20, 10, 30]));
        let pairs = [(0, 0), (1, 2), (2, 3), (3, 4), (4, 5)].map(|(i, j)| (Some(i), Some(j)));
        let mut expected = pairs.to_vec();
        expected.insert(1, (None, Some(1)));
        assert_eq!(aligned.pairs, expected);
        assert!(aligned.is_in_order);
    }

    #[test]
    fn a_ping_that_comes_earlier_moves_nothing_else() {
        let aligned = align(&keys(&[8, PING, 8]), &keys(&[PING, 8, 8]));
        let expected = [(0, 1), (1, 0), (2, 2)].map(|(i, j)| (Some(i), Some(j)));
        assert_eq!(aligned.pairs, expected);
    }

    #[test]
    fn the_same_thing_asked_for_otherwise_stands_in_its_place() {
        let aligned = align(&keys(&[0, 10, 20]), &keys(&[0, 11, 20]));
        let expected = [(0, 0), (1, 1), (2, 2)].map(|(i, j)| (Some(i), Some(j)));
        assert_eq!(aligned.pairs, expected);
    }

    #[test]
    fn beyond_the_limit_equal_requests_are_paired_by_occurrence() {
        let others = |from: u64| (0..ALIGNED_EDITS as u64).map(move |n| from + n);
        let a: Vec<u64> = others(1_000_000).chain([4, 4]).collect();
        let b: Vec<u64> = [4, 4].into_iter().chain(others(9_000_000)).collect();
        let aligned = align(&keys(&a), &keys(&b));
        assert!(!aligned.is_in_order);
        let last = ALIGNED_EDITS;
        assert!(aligned.pairs.contains(&(Some(last), Some(0))));
        assert!(aligned.pairs.contains(&(Some(last + 1), Some(1))));
    }
}
