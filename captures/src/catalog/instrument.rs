//! `PX9xx`: parallax itself.

use super::Description;
use crate::finding::{FindingCode, Severity};

/// HTTP does not let parallax in.
pub const MIRROR_UNAUTHENTICATED: FindingCode = FindingCode(901);

/// The system gives parallax no more clients.
pub const CANNOT_ACCEPT: FindingCode = FindingCode(902);

/// This machine's clock was set.
pub const CLOCK_SET: FindingCode = FindingCode(903);

pub(super) const DESCRIPTIONS: &[Description] = &[
    Description {
        code: MIRROR_UNAUTHENTICATED,
        title: "HTTP does not let parallax in, so polls are not compared",
        severity: Severity::Warning,
        meaning: "parallax logs in over HTTP as the client's user, or as the one that it was told, \
                  and is refused, or its token is. Nothing is known about the polls of that user. \
                  It says nothing about the client's own connection, and is no divergence.",
        recognised_by: "HTTP refuses the login, or answers 401 to a token that it has just given \
                        out.",
        what_to_do: "Give credentials that HTTP takes: --http-user and PARALLAX_HTTP_PASSWORD. A \
                     token may be good on one node of a cluster alone: give the HTTP address of \
                     the node that the client talks to.",
        not_to_be_confused_with: "A token that expired, which is renewed without a word. A client \
                                  whose own login is refused.",
    },
    Description {
        code: CANNOT_ACCEPT,
        title: "parallax could not let clients in: the system refused",
        severity: Severity::Error,
        meaning: "A client connected, and the system did not hand its connection to parallax: \
                  most often because parallax has as many files open as it may. The client is \
                  connected, as far as it can tell, and waits for an answer that does not come. \
                  parallax tries again until it works. The fault is neither the client's nor the \
                  server's.",
        recognised_by: "The system's error when a connection was to be accepted. Told with \
                        the listener, at most once in ten seconds. Who waits is not known.",
        what_to_do: "Raise the limit: ulimit -n, or LimitNOFILE= of the unit. Each client needs two \
                     files. Where clients leak connections, that is their fault to be mended: the \
                     list of connections shows whose they are.",
        not_to_be_confused_with: "A client that was turned away at --max-connections, or whose \
                                  server could not be reached: those have a connection here that \
                                  says so.",
    },
    Description {
        code: CLOCK_SET,
        title: "This machine's clock was set while parallax watched",
        severity: Severity::Warning,
        meaning: "Times are what the clock of this machine said, and latencies the difference of \
                  two of them. What was under way when it was set has a latency that is wrong by \
                  as much, or none, and times before and after cannot be compared.",
        recognised_by: "Between two looks at the clock, about a second apart, it went on by a tenth \
                        of a second more or less than the counter of seconds that nobody sets.",
        what_to_do: "Ignore latencies and the order of times around it. Have the clock slewed, not \
                     stepped (chrony does after its start), before measuring.",
        not_to_be_confused_with: "A server whose clock differs from this machine's: parallax \
                                  doctor compares the two. A machine that was asleep: its clock is \
                                  ahead when it wakes, and parallax cannot tell.",
    },
];
