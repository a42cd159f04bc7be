use parallax_codec::primitives::ConsumerKind::Group;
use parallax_codec::primitives::PollingKind::Next;

use super::{codes, told};
use crate::comparison::{COMPARED, comparable_poll};
use crate::findings::Findings;
use crate::findings::sample::{exchange, poll, store};

#[test]
fn px103_says_that_the_argument_was_never_on_the_wire() {
    let failed = exchange(1, 0, poll(Group, None, Next), 4100);
    let findings = Findings::new().on_exchange(&failed);
    assert_eq!(codes(&findings), [103]);
    let text = told(&findings, 103);
    assert!(
        text.contains("InvalidOffset(0)") && text.contains("never on the wire"),
        "{text}"
    );
    let other = exchange(1, 0, poll(Group, None, Next), 3007);
    let text = told(&Findings::new().on_exchange(&other), 103);
    assert!(text.contains("PartitionNotFound"), "{text}");
}

#[test]
fn px103_needs_an_error_with_an_argument() {
    for status in [0, 40, 4009, 99_999] {
        let done = exchange(1, 0, poll(Group, None, Next), status);
        let drawn = codes(&Findings::new().on_exchange(&done));
        assert!(!drawn.contains(&103), "{status}");
    }
}

#[test]
fn a_refused_store_is_the_stores_failure_with_the_offset_that_was_asked() {
    let failed = exchange(1, 0, store(7), 4100);
    let findings = Findings::new().on_exchange(&failed);
    assert_eq!(codes(&findings), [103]);
    let text = told(&findings, 103);
    assert!(text.contains("the store of offset 7"), "{text}");
    assert!(text.contains("not a poll"), "{text}");
    assert!(!text.contains("the poll of"), "{text}");
    assert!(
        comparable_poll(&failed, &COMPARED).is_none(),
        "a store is not mirrored"
    );
}
