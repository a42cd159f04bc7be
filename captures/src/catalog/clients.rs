//! `PX5xx`: what clients do.

use super::Description;
use crate::finding::{FindingCode, Severity};

/// The same request fails the same way again and again.
pub const SAME_FAILURE_AGAIN: FindingCode = FindingCode(501);
/// A reader is given the same batch again and again, without an error.
pub const SAME_BATCH_AGAIN: FindingCode = FindingCode(502);
/// A client left for an address that the server advertises.
pub const LED_AROUND: FindingCode = FindingCode(503);
/// A client is led on and comes back, again and again.
pub const REDIRECT_LOOP: FindingCode = FindingCode(504);
/// Messages may have been appended twice.
pub const DUPLICATE_SEND: FindingCode = FindingCode(505);
/// One operation was sent several times until its time had come.
pub const RETRIED: FindingCode = FindingCode(506);
/// The server closed on a client that waited, and that did not come back.
pub const NO_RECONNECT: FindingCode = FindingCode(507);
/// The server names nodes at addresses that are not parallax's.
pub const ADVERTISES_AROUND: FindingCode = FindingCode(508);

pub(super) const DESCRIPTIONS: &[Description] = &[
    Description {
        code: SAME_FAILURE_AGAIN,
        title: "The same request fails the same way again and again",
        severity: Severity::Error,
        meaning: "A client repeats a request that is refused each time with the same code. It \
                  makes no progress on whatever it asks for, though other requests of its may \
                  succeed in between.",
        recognised_by: "On one connection or for one consumer: the same request with the same \
                        error, at least three times.",
        what_to_do: "The error says what to do. Of what is not found (a stream, a topic, a \
                     partition, a group): create it, or correct the name that the client uses. Of \
                     what is not allowed: the user's permissions. Repeating helps only where what \
                     it complains about passes by itself (a leader being elected, a quota).",
        not_to_be_confused_with: "A consumer that polls an empty partition: that succeeds, with \
                                  no message.",
    },
    Description {
        code: SAME_BATCH_AGAIN,
        title: "A reader is given the same batch again and again",
        severity: Severity::Warning,
        meaning: "The same poll brings the same messages each time, and nothing is stored in \
                  between: the client does not get on, and no error says so. Consumers that poll \
                  First, Last or a time in a loop do that, and those that poll Next and never \
                  store.",
        recognised_by: "On one connection the same poll of one reader of one partition is \
                        answered five times in a row with the same first and last offset, at \
                        least one message, and no store or delete of its offset in between; \
                        polls of Next over ten seconds, and not at the end of the log.",
        what_to_do: "Poll Next with auto_commit, or store the offset of what was handled, or ask \
                     from the last offset plus one.",
        not_to_be_confused_with: "A tool that peeks at the newest message now and then, which is \
                                  harmless. A consumer that polls an empty partition. A batch \
                                  that is read twice on purpose.",
    },
    Description {
        code: LED_AROUND,
        title: "A client left for an address that the server advertises",
        severity: Severity::Warning,
        meaning: "After its login a client asks who leads the cluster, and goes on to the address \
                  in the answer if that is not the one it is connected to. It connects there \
                  directly: its traffic does not pass through parallax any more, and this \
                  connection ends here.",
        recognised_by: "The last thing on the connection was the answer to get_cluster_metadata, \
                        with several nodes and a healthy leader at an address that is not the one \
                        that the client had connected to, nor another of parallax's; then the \
                        client closed. That is the \
                        rule of the Rust SDK 0.10 and 0.11. It keeps no redirect where there is \
                        one node.",
        what_to_do: "Give parallax a route for each node and start it with --rewrite-addresses, or \
                     let the servers advertise parallax's addresses.",
        not_to_be_confused_with: "A capture that ends there: look for the client's next \
                                  connection at the address in the evidence. A cluster of one \
                                  node, which redirects nobody.",
    },
    Description {
        code: REDIRECT_LOOP,
        title: "A client is led to the leader and comes back, again and again",
        severity: Severity::Warning,
        meaning: "Two servers each name another one as the leader, or the advertised address \
                  leads back to where the client came from. The client logs in, asks who leads, \
                  closes, connects, and does it again; SDKs stop after a few rounds, wherever \
                  they are then.",
        recognised_by: "Three connections of one address, each opened within a second after the \
                        one before had closed, each of which ended with the answer to \
                        get_cluster_metadata that leads elsewhere.",
        what_to_do: "Compare what the nodes say of the leader (get_cluster_metadata on each), and \
                     what they advertise.",
        not_to_be_confused_with: "Three programs on one machine, started one after the other, \
                                  each led away once: there PX503 is all.",
    },
    Description {
        code: DUPLICATE_SEND,
        title: "Messages may have been appended twice",
        severity: Severity::Warning,
        meaning: "A client sent messages, its connection ended before the answer came, and the \
                  very same messages were sent again on a new connection and accepted. Whether \
                  the first ones had been appended the client could not know. A server's own \
                  guard against doubles goes by the session, and the new connection has a new \
                  one.",
        recognised_by: "Two send_messages requests whose bodies are the same, byte for byte, with \
                        message ids or times in them: the first without a reply when its \
                        connection closed, the second later, on another connection, with status \
                        0.",
        what_to_do: "Poll the partition and look for two messages with the same id. If doubles \
                     matter, have consumers skip ids that they have seen.",
        not_to_be_confused_with: "A producer that sends equal messages regularly: each is \
                                  answered before the next. A batch that is sent again after an \
                                  error reply, which appended nothing.",
    },
    Description {
        code: RETRIED,
        title: "One operation was sent several times until its time had come",
        severity: Severity::Info,
        meaning: "The server answered that it could not do it now (57, not committed; 58, not \
                  accepted), and the client sent the same frame again until something else came \
                  of it. That is one operation, however often it was sent, and its latency is \
                  counted as one, from the first request to the last reply.",
        recognised_by: "The same frame, answered with 57 or 58 at least once, and then with \
                        something else or not at all.",
        what_to_do: "Nothing, if it is rare. Look at the total time: a leader that changes often, \
                     or a disk that is slow, show there.",
        not_to_be_confused_with: "PX501: the same failure without an end.",
    },
    Description {
        code: NO_RECONNECT,
        title: "The server closed on a client that was waiting, and the client has not come back",
        severity: Severity::Warning,
        meaning: "The server's side of a connection ended while a request was open, so that its \
                  outcome is not known, and no new connection of the same client came. SDKs that \
                  do not take this for a reason to connect anew go on waiting on a dead \
                  connection.",
        recognised_by: "The server closed or reset the connection with a request unanswered; for \
                        half a minute no connection came from the client's address.",
        what_to_do: "Look at the client: is it still running, and what does it wait for? Restart \
                     it; report it to its SDK if it hangs. Look at the server's log for why it \
                     closed.",
        not_to_be_confused_with: "A client that was ended on purpose, or that moved to another \
                                  address (PX503). A client that waits longer than that before it \
                                  tries again.",
    },
    Description {
        code: ADVERTISES_AROUND,
        title: "The server advertises addresses that lead around parallax",
        severity: Severity::Warning,
        meaning: "The server told a client of nodes at addresses where no listener of parallax \
                  is. A client that goes there is no longer seen: its exchanges are missing here, \
                  and what is said of groups and offsets may be wrong for the want of them.",
        recognised_by: "The answer to get_cluster_metadata has several nodes, or one was routed to \
                        for polling or for storing an offset, and an address in it is none of \
                        parallax's. An address that may be parallax's under another name is passed \
                        over. Told once of each address, for each listener.",
        what_to_do: "Give parallax a route for each node in the evidence, with the address in it as \
                     the upstream, and start it with --rewrite-addresses: clients are told of the \
                     listeners in the place of the nodes then. Or let the servers advertise \
                     parallax's addresses (advertised_address of server 0.9).",
        not_to_be_confused_with: "PX503, which says that a client did go. A port mapping before \
                                  parallax, by which the advertised address does lead to it: \
                                  --advertise says so. A cluster of one node: nobody is led on from there, but SDK 0.11 \
                                  remembers its address and tries it when parallax cannot be \
                                  reached.",
    },
];
