use parallax_captures::Journal;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Next};

use crate::findings::Findings;
use crate::findings::sample::{exchange, poll};

#[test]
fn two_failures_of_one_consumer_are_two_findings() {
    // The journal tells findings apart by code and place, and shows the latest
    // evidence: under one place the first failure would be counted as the second.
    for (one, other) in [
        (
            exchange(1, 0, poll(Consumer, Some(1), First), 3007),
            exchange(2, 1, poll(Consumer, Some(2), First), 4100),
        ),
        (
            exchange(1, 0, poll(Group, None, Next), 5006),
            exchange(2, 1, poll(Group, None, Next), 4100),
        ),
    ] {
        let journal = Journal::new();
        let mut findings = Findings::new();
        for exchange in [one, other] {
            for finding in findings.on_exchange(&exchange) {
                journal.add_finding(finding);
            }
        }
        let told = journal.findings();
        assert_eq!(told.len(), 2, "{told:?}");
    }
}
