//! Every figure that parallax tells of itself: name, labels, and what it means. The one
//! source for what is scraped, what is sent, and `docs/observability.md`.
//!
//! Names are by Prometheus' conventions: a prefix, base units, `_total` where a figure only
//! grows.

/// What a figure is.
#[derive(Debug)]
pub struct Metric {
    /// Without prefix, unit and `_total`.
    base: &'static str,
    /// How it moves.
    pub kind: Kind,
    /// What it counts in.
    pub unit: Unit,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// A sentence.
    pub help: &'static str,
}

/// How a figure moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Grows, from 0 when the program begins.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Counts what is at most so much.
    Histogram,
}

/// What a figure counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Things.
    None,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
}

impl Metric {
    /// The name that Prometheus knows it by.
    pub fn name(&self) -> String {
        let prefix = if self.is_of_any_process() {
            ""
        } else {
            "parallax_"
        };
        let unit = match self.unit {
            Unit::None => "",
            Unit::Seconds => "_seconds",
            Unit::Bytes => "_bytes",
        };
        let total = match self.kind {
            Kind::Counter => "_total",
            Kind::Gauge | Kind::Histogram => "",
        };
        format!("{prefix}{}{unit}{total}", self.base)
    }

    /// The name that OpenTelemetry knows it by: without unit and `_total`, which a collector
    /// adds again for Prometheus.
    pub fn dotted_name(&self) -> String {
        let name = self.base.replace('_', ".");
        if self.is_of_any_process() {
            name
        } else {
            format!("parallax.{name}")
        }
    }

    /// Whether every program has it by this name.
    fn is_of_any_process(&self) -> bool {
        self.base.starts_with("process_")
    }

    const fn counter(
        base: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self {
            base,
            kind: Kind::Counter,
            unit: Unit::None,
            labels,
            help,
        }
    }

    const fn gauge(
        base: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self {
            kind: Kind::Gauge,
            ..Self::counter(base, labels, help)
        }
    }

    const fn durations(
        base: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self {
            kind: Kind::Histogram,
            unit: Unit::Seconds,
            ..Self::counter(base, labels, help)
        }
    }

    const fn in_unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }
}

impl Kind {
    /// As Prometheus calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

macro_rules! metrics {
    ($($name:ident = $metric:expr;)*) => {
        $(pub(super) static $name: Metric = $metric;)*

        /// All of them, in the order in which they are told.
        pub fn all() -> impl Iterator<Item = &'static Metric> {
            [$(&$name),*].into_iter()
        }
    };
}

metrics! {
    BUILD_INFO = Metric::gauge("build_info", &["version"], "1; the version of parallax.");
    START_TIME = Metric::gauge("process_start_time", &[], "When parallax was started, since 1970.").in_unit(Unit::Seconds);
    RESIDENT = Metric::gauge("process_resident_memory", &[], "Memory that parallax takes.").in_unit(Unit::Bytes);
    OPEN_FDS = Metric::gauge("process_open_fds", &[], "Open file descriptors: two for each client.");
    MAX_FDS = Metric::gauge("process_max_fds", &[], "File descriptors that may be open.");

    CONNECTIONS = Metric::gauge("connections", &[], "Clients that are connected.");
    CONNECTIONS_LIMIT = Metric::gauge("connections_limit", &[], "Clients that may be connected at once (--max-connections).");
    ACCEPTED = Metric::counter("connections_accepted", &[], "Clients accepted, those turned away not among them.");
    REFUSED = Metric::counter("connections_refused", &[], "Clients turned away, for as many were connected as may be.");
    CLOSED = Metric::counter("connections_closed", &["reason"], "Clients whose connection has ended, by why: client_closed, server_closed, client_reset, server_reset, client_failed, server_failed, client_cut_off, server_cut_off (without close_notify), client_tls, server_tls, upstream_unavailable, drained, halted, reaped, cut_on_purpose.");
    HANDSHAKE_FAILURES = Metric::counter("tls_handshake_failures", &["with"], "TLS handshakes that failed, with the client or with the server.");
    ACCEPT_ERRORS = Metric::counter("accept_errors", &[], "Times that accepting a client failed.");
    RELAYED = Metric::counter("relayed", &["direction"], "Bytes passed on, by where to: to_server, to_client. With --bypass those of connections that have ended.").in_unit(Unit::Bytes);
    IN_PATH_TOO_LONG = Metric::counter("in_path_too_long", &[], "Frames that --rewrite-addresses or --fault was to change and that were too long to hold: they passed as they were.");
    IN_PATH_UNREAD = Metric::counter("in_path_unread", &[], "Connections whose frames --rewrite-addresses or --fault was to look at and that spoke nothing that is known: they passed as they were.");
    UNOBSERVED = Metric::counter("unobserved", &[], "Bytes passed on that could not be looked at.").in_unit(Unit::Bytes);

    EXCHANGES = Metric::counter("exchanges", &["dialect", "command", "status", "error"], "Requests with their replies, by command, status (ok, error, refused, unanswered, injected) and the error's name. What no known version has is called unknown, what there is no room to tell apart other.");
    DURATION = Metric::durations("exchange_duration", &["command"], "How long clients waited for what they wanted, from the request's first byte to the reply's last; what was tried again counts once, what a fault was injected into not at all.");
    VERDICTS = Metric::counter("verdicts", &["verdict"], "Verdicts on polls that were put to HTTP as well: agree, diverge, not_comparable, transient, stale, mirror_failed.");
    FINDINGS = Metric::counter("findings", &["code", "severity", "muted"], "Times that a finding was seen (parallax explain CODE).");

    OBSERVATIONS_DROPPED = Metric::counter("observations_dropped", &[], "Observations lost, so that no client had to wait: looking fell behind.");
    CLIENTS_SLOWED = Metric::counter("clients_slowed", &[], "Times that a client was slowed down, so that nothing was lost (--on-overload slow-clients).");
    CLIENTS_SLOWED_FOR = Metric::counter("clients_slowed_for", &[], "How long they were slowed down in all.").in_unit(Unit::Seconds);
    EXCHANGES_FORGOTTEN = Metric::counter("exchanges_forgotten", &[], "Exchanges that are kept no longer, neither in memory nor in a recording.");
    EXCHANGES_KEPT = Metric::gauge("exchanges_kept", &[], "Exchanges that are kept, in memory or in a recording.");
    FINDINGS_DROPPED = Metric::counter("findings_dropped", &[], "Findings that were new when there was no room for another.");
    LATENCIES_DROPPED = Metric::counter("latencies_dropped", &["dimension"], "Latencies that are in no series, for there was no room for one.");

    MIRROR_STATE = Metric::gauge("mirror_state", &["route", "state"], "1 for the state that the mirror is in: ok, backing_off (HTTP does not answer), unauthenticated, unusable (its answers to polls are none).");
    MIRROR_REQUESTS = Metric::counter("mirror_requests", &["route", "side"], "Requests of the mirror's own: http (logins included), tcp (where both sides are asked again).");
    MIRROR_FAILURES = Metric::counter("mirror_failures", &["route"], "HTTP requests of the mirror that brought no usable answer.");
    MIRROR_DURATION = Metric::durations("mirror_duration", &["command"], "How long HTTP took for the mirror's own requests.");
    MIRROR_QUEUE = Metric::gauge("mirror_queue", &["route"], "Polls that wait to be put to HTTP.");
    NOT_MIRRORED = Metric::counter("polls_not_mirrored", &[], "Polls that were not put to HTTP, for the mirror was busy.");

    RECORDING_STATE = Metric::gauge("recording_state", &["state"], "1 for the state that the recording is in: ok, failing (the disk refuses), ended.");
    RECORDING_EXCHANGES = Metric::gauge("recording_exchanges", &[], "Exchanges in the recording.");
    RECORDING_SIZE = Metric::gauge("recording_size", &[], "The recording's size.").in_unit(Unit::Bytes);
    RECORDING_SEGMENTS = Metric::gauge("recording_segments", &[], "The recording's files.");
    NOT_RECORDED = Metric::counter("exchanges_not_recorded", &[], "Exchanges that could not be recorded: the disk was full or slow.");
    RECORDING_DROPPED = Metric::counter("recording_exchanges_dropped", &[], "Exchanges that were dropped with the recording's oldest files, for size or age.");

    OTLP_SENT = Metric::counter("otlp_sent", &["signal"], "What the collector took: findings (logs), figures (metrics), exchanges (traces).");
    OTLP_DROPPED = Metric::counter("otlp_dropped", &["signal", "reason"], "What the collector did not get: missed (memory dropped it before), full (the queue was), refused (by the collector), ended (parallax did).");
    OTLP_FAILURES = Metric::counter("otlp_failures", &[], "Requests to the collector that failed and were tried again.");
    OTLP_QUEUE = Metric::gauge("otlp_queue", &["signal"], "What waits to be sent to the collector.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_by_the_conventions() {
        assert_eq!(ACCEPTED.name(), "parallax_connections_accepted_total");
        assert_eq!(RELAYED.name(), "parallax_relayed_bytes_total");
        assert_eq!(DURATION.name(), "parallax_exchange_duration_seconds");
        assert_eq!(START_TIME.name(), "process_start_time_seconds");
        assert_eq!(DURATION.dotted_name(), "parallax.exchange.duration");
        let mut names: Vec<_> = all().map(Metric::name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all().count(), "each is there once");
    }

    /// A row of the table for each, as it is written there.
    #[test]
    fn the_documentation_names_every_metric_and_no_other() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/observability.md");
        let text = std::fs::read_to_string(path).unwrap();
        let rows: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with("| `parallax_") || line.starts_with("| `process_"))
            .collect();
        let expected: Vec<_> = all()
            .map(|metric| {
                let labels: Vec<_> = metric
                    .labels
                    .iter()
                    .map(|label| format!("`{label}`"))
                    .collect();
                let (name, kind) = (metric.name(), metric.kind.name());
                format!(
                    "| `{name}` | {kind} | {} | {} |",
                    labels.join(", "),
                    metric.help
                )
            })
            .collect();
        assert_eq!(rows, expected);
    }
}
