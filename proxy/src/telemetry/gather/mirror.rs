//! How the mirror and the recording do.

use std::borrow::Cow;

use parallax_captures::{MirrorStatus, RouteName, Totals};

use super::Figures;
use crate::telemetry::family::Family;
use crate::telemetry::metrics::{
    MIRROR_FAILURES, MIRROR_QUEUE, MIRROR_REQUESTS, MIRROR_STATE, NOT_MIRRORED, NOT_RECORDED,
    RECORDING_DROPPED, RECORDING_EXCHANGES, RECORDING_SEGMENTS, RECORDING_SIZE, RECORDING_STATE,
};

/// By [`MirrorState::name`](parallax_captures::MirrorState::name).
const MIRROR_STATES: [&str; 4] = ["ok", "backing_off", "unauthenticated", "unusable"];

/// By [`RecordingState::name`](parallax_captures::recording::RecordingState::name).
const RECORDING_STATES: [&str; 3] = ["ok", "failing", "ended"];

impl Figures {
    /// Nothing where there is no mirror.
    pub(super) fn mirrored(&self) -> Vec<Family> {
        if self.mirrors.is_empty() {
            return Vec::new();
        }
        let now = self.journal.mirrors();
        let (mut states, mut requests) =
            (Family::new(&MIRROR_STATE), Family::new(&MIRROR_REQUESTS));
        let (mut failures, mut queue) = (Family::new(&MIRROR_FAILURES), Family::new(&MIRROR_QUEUE));
        for (route, handle) in &self.mirrors {
            let status = of_route(&now, route.as_ref());
            let before = of_route(&self.before.mirrors, route.as_ref());
            let route: Cow<'static, str> =
                Cow::Owned(route.as_ref().map(ToString::to_string).unwrap_or_default());
            for state in MIRROR_STATES {
                let holds = u64::from(state == status.state.name());
                states.push([route.clone(), state.into()], holds);
            }
            for (side, count, before) in [
                ("http", status.requests, before.requests),
                ("tcp", status.tcp_requests, before.tcp_requests),
            ] {
                requests.push([route.clone(), side.into()], count.saturating_sub(before));
            }
            let failed = status.failures.saturating_sub(before.failures);
            failures.push([route.clone()], failed);
            queue.push([route], handle.waiting());
        }
        let not_mirrored = |totals: &Totals| totals.polls_not_mirrored;
        let before = not_mirrored(&self.before.totals);
        vec![
            states,
            requests,
            failures,
            queue,
            Family::of(
                &NOT_MIRRORED,
                not_mirrored(&self.journal.totals()).saturating_sub(before),
            ),
        ]
    }

    /// Nothing where nothing is recorded.
    pub(super) fn recorded(&self) -> Vec<Family> {
        let Some(status) = self.journal.recording() else {
            return Vec::new();
        };
        let dropped = status.dropped.saturating_sub(self.before.recording_dropped);
        vec![
            Family::states(&RECORDING_STATE, &RECORDING_STATES, status.state.name()),
            Family::of(&RECORDING_EXCHANGES, status.exchanges),
            Family::of(&RECORDING_SIZE, status.bytes),
            Family::of(&RECORDING_SEGMENTS, status.segments),
            Family::of(&NOT_RECORDED, status.not_kept),
            Family::of(&RECORDING_DROPPED, dropped),
        ]
    }
}

fn of_route(all: &[MirrorStatus], route: Option<&RouteName>) -> MirrorStatus {
    let mut all = all.iter();
    let of_it = all.find(|status| status.route.as_ref() == route);
    of_it.cloned().unwrap_or_default()
}
