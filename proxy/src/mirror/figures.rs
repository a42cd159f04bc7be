//! Where the mirror says how it is doing.

use std::sync::Arc;

use parallax_captures::{Journal, MirrorStatus, RouteName};

/// The journal, and whose mirror this is in it.
#[derive(Debug, Clone)]
pub(super) struct Figures {
    pub(super) journal: Arc<Journal>,
    route: Option<RouteName>,
}

impl Figures {
    pub(super) fn new(journal: Arc<Journal>, route: Option<RouteName>) -> Self {
        Self { journal, route }
    }

    pub(super) fn update(&self, change: impl FnOnce(&mut MirrorStatus)) {
        self.journal.update_mirror(self.route.as_ref(), change);
    }
}
