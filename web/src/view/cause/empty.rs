//! Offsets of a partition that holds no message.

use parallax_captures::catalog::SAME_FAILURE_AGAIN;
use parallax_captures::partition::{partition_of, read_as_empty};
use parallax_captures::{Finding, Journal};
use parallax_codec::{ErrorCode, Request};

/// What to do where [`held_nothing`].
pub(crate) const WAIT_FOR_A_MESSAGE: &str = "Store an offset only once a message with it was \
    delivered: while polls bring nothing, there is none to store.";

/// The exchange that read the partition and found nothing, of a store of an offset that is
/// refused again and again.
pub(crate) fn held_nothing(journal: &Journal, finding: &Finding) -> Option<u64> {
    if finding.code != SAME_FAILURE_AGAIN {
        return None;
    }
    let latest = journal.exchange(*finding.exchanges.last()?)?;
    let Some(Request::StoreConsumerOffset(_)) = &latest.binary()?.request else {
        return None;
    };
    if latest.error() != Some(ErrorCode::INVALID_OFFSET) {
        return None;
    }
    read_as_empty(journal, &partition_of(&latest)?, latest.n)
}
