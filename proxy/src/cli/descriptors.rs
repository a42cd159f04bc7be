//! How many clients the system lets the program have.

use crate::limits::DESCRIPTORS_RESERVED;

/// Raises the limit of open files as far as so many clients need it and the system lets
/// it, and gives how many clients it is enough for, at most as many.
pub(super) fn room_for(clients: usize) -> usize {
    enough_for(clients, raise_to(needed_by(clients)))
}

/// Each client needs two: its own connection, and the one to the server.
const fn needed_by(clients: usize) -> u64 {
    (clients as u64)
        .saturating_mul(2)
        .saturating_add(DESCRIPTORS_RESERVED)
}

/// For how many clients a limit of open files is enough; `None` is no limit.
fn enough_for(clients: usize, limit: Option<u64>) -> usize {
    limit.map_or(clients, |limit| {
        let room = limit.saturating_sub(DESCRIPTORS_RESERVED) / 2;
        usize::try_from(room)
            .unwrap_or(usize::MAX)
            .clamp(1, clients.max(1))
    })
}

/// The limit of open files, once it was raised to `wanted` or as far as it can be.
#[cfg(unix)]
fn raise_to(wanted: u64) -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let now = getrlimit(Resource::Nofile);
    let current = now.current?;
    if current >= wanted {
        return Some(current);
    }
    let raised = now.maximum.map_or(wanted, |most| most.min(wanted));
    let limit = Rlimit {
        current: Some(raised),
        ..now
    };
    match setrlimit(Resource::Nofile, limit) {
        Ok(()) => Some(raised),
        Err(_) => Some(current),
    }
}

#[cfg(not(unix))]
const fn raise_to(_: u64) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_too_low_leaves_room_for_fewer_clients_and_for_one_at_least() {
        for (wanted, limit, enough) in [
            (10_000, None, 10_000),
            (10_000, Some(1_048_576), 10_000),
            (10_000, Some(needed_by(10_000)), 10_000),
            (10_000, Some(needed_by(10_000) - 1), 9_999),
            (10_000, Some(1_024), 384),
            (10_000, Some(20), 1),
            (0, Some(1_024), 1),
        ] {
            assert_eq!(enough_for(wanted, limit), enough, "{wanted} {limit:?}");
        }
    }
}
