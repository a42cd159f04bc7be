//! Memory for what is not told yet, of all connections together: frames that are not
//! whole, and requests without a reply.

use crate::limits::SESSIONS_BYTES;

/// What sessions hold, in bytes.
#[derive(Debug)]
pub(super) struct Held {
    limit: usize,
    total: usize,
}

impl Default for Held {
    fn default() -> Self {
        Self {
            limit: SESSIONS_BYTES,
            total: 0,
        }
    }
}

impl Held {
    /// Whether one of so many sessions, which holds `own` bytes, may take so many more.
    /// Where there is no room for all, those that hold more than their share lose: who
    /// holds little pays for nobody. So at most twice the limit is held.
    pub(super) fn has_room(&self, sessions: usize, own: usize, more: usize) -> bool {
        self.total + more <= self.limit || own + more <= self.limit / sessions.max(1)
    }

    /// A session holds so much now, and did `before`.
    pub(super) fn update(&mut self, before: &mut usize, now: usize) {
        self.total = self.total.saturating_sub(*before) + now;
        *before = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_holds_more_than_a_share_loses_first() {
        let mut held = Held {
            limit: 100,
            total: 0,
        };
        let (mut hog, mut small) = (0, 0);
        assert!(held.has_room(2, hog, 100));
        held.update(&mut hog, 95);
        held.update(&mut small, 3);
        assert!(!held.has_room(2, hog, 10));
        assert!(held.has_room(2, small, 10));
        assert!(!held.has_room(2, small, 48), "more than half of it");
        // It lost what it held.
        held.update(&mut hog, 0);
        assert!(held.has_room(2, hog, 97));
        held.update(&mut small, 0);
        assert_eq!(held.total, 0);
    }
}
