//! What is sent to a collector.

use super::Figures;
use crate::telemetry::family::Family;
use crate::telemetry::metrics::{OTLP_DROPPED, OTLP_FAILURES, OTLP_QUEUE, OTLP_SENT};
use crate::telemetry::otlp::{Reason, Signal};

impl Figures {
    /// Nothing where there is no collector.
    pub(super) fn sent(&self) -> Vec<Family> {
        let Some(counters) = &self.otlp else {
            return Vec::new();
        };
        let (mut sent, mut queue) = (Family::new(&OTLP_SENT), Family::new(&OTLP_QUEUE));
        let mut dropped = Family::new(&OTLP_DROPPED);
        for signal in Signal::ALL {
            sent.push([signal.name().into()], counters.sent(signal));
            queue.push([signal.name().into()], counters.queued(signal));
            for reason in Reason::ALL {
                let labels = [signal.name().into(), reason.name().into()];
                dropped.push(labels, counters.dropped(signal, reason));
            }
        }
        let failures = Family::of(&OTLP_FAILURES, counters.failures());
        vec![sent, dropped, failures, queue]
    }
}
