//! How the mirror and the recording do.

use super::Figures;
use crate::telemetry::family::Family;
use crate::telemetry::metrics::{
    MIRROR_FAILURES, MIRROR_QUEUE, MIRROR_REQUESTS, MIRROR_STATE, NOT_MIRRORED, NOT_RECORDED,
    RECORDING_DROPPED, RECORDING_EXCHANGES, RECORDING_SEGMENTS, RECORDING_SIZE, RECORDING_STATE,
};

/// By [`MirrorState::name`](parallax_captures::MirrorState::name).
const MIRROR_STATES: [&str; 3] = ["ok", "backing_off", "unauthenticated"];

/// By [`RecordingState::name`](parallax_captures::recording::RecordingState::name).
const RECORDING_STATES: [&str; 3] = ["ok", "failing", "ended"];

impl Figures {
    /// Nothing where there is no mirror.
    pub(super) fn mirrored(&self) -> Vec<Family> {
        let (Some(handle), Some(status)) = (&self.mirror, self.journal.mirror()) else {
            return Vec::new();
        };
        let (http, tcp) = self.before.mirror_requests;
        let not_mirrored = |totals: &parallax_captures::Totals| totals.polls_not_mirrored;
        let before = not_mirrored(&self.before.totals);
        vec![
            Family::states(&MIRROR_STATE, &MIRROR_STATES, status.state.name()),
            Family::new(&MIRROR_REQUESTS)
                .with(["http"], status.requests.saturating_sub(http))
                .with(["tcp"], status.tcp_requests.saturating_sub(tcp)),
            Family::of(
                &MIRROR_FAILURES,
                status.failures.saturating_sub(self.before.mirror_failures),
            ),
            Family::of(&MIRROR_QUEUE, handle.waiting()),
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
