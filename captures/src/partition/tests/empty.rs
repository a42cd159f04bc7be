//! Whether a partition was read from its begin and had nothing.

use std::sync::Arc;

use parallax_codec::primitives::PollingKind;

use super::script::{Script, consumer, partition};
use crate::journal::Journal;
use crate::partition::read_as_empty;

fn read(script: &Script) -> Option<u64> {
    let journal = Journal::new();
    for exchange in &script.exchanges {
        journal.record(Arc::unwrap_or_clone(Arc::clone(exchange)));
    }
    read_as_empty(&journal, &partition(), u64::MAX)
}

/// A poll of First that brings nothing, as of an empty partition.
fn empty() -> Script {
    let mut script = Script::new();
    let asked = (&consumer(1), PollingKind::First, 0, false);
    script.poll_of(asked, Some(2), Ok((&[], 0)));
    script
}

#[test]
fn a_poll_of_first_that_brings_nothing_says_so_and_stores_and_polls_of_next_do_not_change_it() {
    let mut script = empty();
    script.next(&consumer(1), &[], 0);
    for _ in 0..30 {
        script.stores(&consumer(1), 0);
    }
    assert_eq!(read(&script), Some(1));
}

#[test]
fn next_alone_says_nothing_for_a_reader_may_have_read_all() {
    let mut script = Script::new();
    script.next(&consumer(1), &[], 0);
    assert_eq!(read(&script), None);
}

#[test]
fn a_partition_that_has_or_had_messages_is_not_said_to_have_held_none() {
    let before = &mut Script::new();
    before.next(&consumer(1), &[0], 0);
    let asked = (&consumer(1), PollingKind::First, 0, false);
    before.poll_of(asked, Some(2), Ok((&[], 0)));
    assert_eq!(read(before), None, "messages before");
    let mut after = empty();
    after.next(&consumer(1), &[0], 0);
    assert_eq!(read(&after), None, "messages since");
    let mut purged = empty();
    purged.purges();
    assert_eq!(read(&purged), None, "somebody had a reason to purge");
    let mut behind = Script::new();
    behind.poll_of(asked, Some(2), Ok((&[], 7)));
    assert_eq!(
        read(&behind),
        None,
        "the reply itself says that there are some"
    );
}
