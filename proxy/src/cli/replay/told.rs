//! What a replay says.

use std::fmt::Write as _;

use parallax_captures::difference::Comparer;
use serde_json::json;

use super::ReplayArguments;
use crate::cli::{Outcome, say};
use crate::replay::{NotSent, Plan, Played};
use crate::report::difference::{
    asking, difference_lines, differences_json, fields_json, fields_lines, unused_json,
    unused_lines,
};

/// Tells of each request and counts.
pub(super) struct Teller<'a> {
    comparer: Comparer<'a>,
    json: bool,
    counted: Counted,
}

#[derive(Default)]
struct Counted {
    sent: u64,
    equal: u64,
    different: u64,
    no_reply: u64,
    refused: u64,
    lost: u64,
    http: u64,
}

impl<'a> Teller<'a> {
    pub(super) fn new(comparer: Comparer<'a>, json: bool) -> Self {
        Self {
            comparer,
            json,
            counted: Counted::default(),
        }
    }

    /// The target, and what is not sent to it.
    pub(super) fn begin(&mut self, plan: &Plan, to: &str, arguments: &ReplayArguments) {
        let file = arguments.file.display();
        let (requests, connections) = (plan.steps.len(), plan.connections());
        if self.json {
            say(json!({
                "row": "target",
                "file": file.to_string(),
                "to": to,
                "requests": requests,
                "connections": connections,
                "writes": arguments.allow_writes,
            }));
        } else {
            let writes = if arguments.allow_writes {
                "also what changes something there"
            } else {
                "nothing that changes something there"
            };
            say(format!(
                "playing {requests} requests of {file} ({connections} connections) to {to}: {writes}"
            ));
        }
        for (exchange, why) in &plan.not_sent {
            if *why == NotSent::Http {
                self.counted.http += 1;
                continue;
            }
            self.counted.refused += 1;
            if self.json {
                say(json!({
                    "row": "not_sent",
                    "n": exchange.n,
                    "command": exchange.command(),
                    "why": why.to_string(),
                }));
            } else {
                say(format!(
                    "not sent  {} {}: {why}",
                    exchange.n,
                    asking(exchange)
                ));
            }
        }
    }

    /// What became of a request.
    pub(super) fn played(&mut self, played: &Played) {
        let captured = &played.captured;
        if !played.was_sent {
            self.counted.lost += 1;
            return;
        }
        self.counted.sent += 1;
        let now = match &played.now {
            Ok(now) => now,
            // Nor was there one in the capture.
            Err(_) if captured.times.reply.is_none() => {
                self.counted.equal += 1;
                return;
            }
            Err(why) => {
                self.counted.no_reply += 1;
                if self.json {
                    say(json!({
                        "row": "no_reply",
                        "n": captured.n,
                        "command": captured.command(),
                        "why": why,
                    }));
                } else {
                    say(format!(
                        "no reply  {} {}: {why}",
                        captured.n,
                        asking(captured)
                    ));
                }
                return;
            }
        };
        let differences = self.comparer.compare(captured, now);
        if differences.is_empty() {
            self.counted.equal += 1;
            return;
        }
        self.counted.different += 1;
        let sides = ["captured", "now"];
        if self.json {
            say(json!({
                "row": "differs",
                "n": captured.n,
                "command": captured.command(),
                "differences": differences_json(&differences, sides),
            }));
        } else {
            say(format!("differs   {} {}", captured.n, asking(captured)));
            let lines = difference_lines(&differences, sides);
            say(lines.trim_end_matches('\n'));
        }
    }

    /// The sum, and what it comes to.
    pub(super) fn end(&self) -> Outcome {
        let Counted {
            sent,
            equal,
            different,
            no_reply,
            refused,
            lost,
            http,
        } = self.counted;
        if self.json {
            let lines = fields_json(&self.comparer) + &unused_json(&self.comparer);
            if !lines.is_empty() {
                say(lines.trim_end_matches('\n'));
            }
            say(json!({
                "row": "counted",
                "sent": sent,
                "equal": equal,
                "different": different,
                "no_reply": no_reply,
                "refused": refused,
                "lost": lost,
                "http": http,
                "ignored": self.comparer.hidden(),
            }));
        } else {
            let lines = fields_lines(&self.comparer) + &unused_lines(&self.comparer);
            if !lines.is_empty() {
                say(lines.trim_end_matches('\n'));
            }
            let mut line = format!(
                "{sent} sent: {equal} equal, {different} different, {no_reply} without a reply; \
                 {refused} not sent"
            );
            if lost > 0 {
                let _ = write!(line, "; {lost} more not, on connections that were lost");
            }
            if http > 0 {
                let _ = write!(line, "; {http} HTTP exchanges are not played");
            }
            let ignored = self.comparer.hidden();
            say(format!("{line}; {ignored} differences ignored"));
        }
        if equal + different == 0 {
            // Nothing was played, or the server answered nothing.
            Outcome::Incomplete
        } else if different + no_reply > 0 {
            Outcome::Found
        } else if refused + lost > 0 {
            Outcome::Incomplete
        } else {
            Outcome::NothingFound
        }
    }
}
