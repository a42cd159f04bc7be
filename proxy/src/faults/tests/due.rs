//! Which requests a fault falls on.

use parallax_captures::FaultInForce;

use crate::faults::Fault;

/// The numbers, of a hundred requests, into which it is injected.
fn due(selectors: &str) -> Vec<u64> {
    let fault: Fault = format!("ping drop {selectors}").parse().unwrap();
    let count = FaultInForce::new(None, fault.to_string());
    let due = (1..=100).filter(|_| fault.due.next(&count)).collect();
    assert_eq!(count.matched(), 100);
    due
}

#[test]
fn each_selector_narrows_further() {
    assert_eq!(due("").len(), 100);
    assert_eq!(due("every=40"), [40, 80]);
    assert_eq!(due("first=3"), [1, 2, 3]);
    assert_eq!(due("times=2"), [1, 2]);
    assert_eq!(due("every=3 times=2"), [3, 6]);
    assert_eq!(due("every=3 first=7"), [3, 6]);
}

#[test]
fn a_chance_is_the_same_again_with_the_same_seed() {
    let tenth = due("chance=0.1");
    assert_eq!(tenth, due("chance=0.1"));
    assert!((2..=25).contains(&tenth.len()), "{tenth:?}");
    assert_ne!(tenth, due("chance=0.1 seed=1"));
    assert_eq!(due("chance=1").len(), 100);
    let half = due("chance=0.5").len();
    assert!((30..=70).contains(&half), "{half}");
}
