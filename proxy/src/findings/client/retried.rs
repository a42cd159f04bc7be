//! PX506: one operation that was sent several times (case E9).

use std::time::Duration;

use jiff::Timestamp;
use parallax_captures::catalog::RETRIED;
use parallax_captures::{Attempt, Attempts, Exchange, Finding, Retries};

use super::event::ConnectionEvent;

/// Operations that were told "not now".
#[derive(Debug, Default)]
pub(super) struct Retried {
    operations: Retries,
}

impl Retried {
    pub(super) fn finding(&mut self, exchange: &Exchange) -> Option<Finding> {
        let Attempt::Last(Some(before)) = self.operations.attempt(exchange) else {
            return None;
        };
        let end = match (exchange.error(), exchange.times.reply) {
            (Some(error), _) => format!("the last was refused with {error}"),
            (None, Some(_)) => "the last was done".to_owned(),
            (None, None) => "the last had no reply".to_owned(),
        };
        let total = before.until(exchange);
        let time = exchange.times.request_first;
        let sent = before.count + 1;
        Some(finding(&before, sent, total, &end, (exchange.n, time)))
    }

    /// What a connection ended with. One attempt is no retry.
    pub(super) fn closed(&mut self, event: &ConnectionEvent) -> Vec<Finding> {
        let given_up = self.operations.given_up(event.conn).into_iter();
        let retried = given_up.filter(|attempts| attempts.count > 1);
        retried
            .map(|attempts| {
                let last = (attempts.exchanges.1, attempts.last);
                let end = "then the connection ended";
                finding(&attempts, attempts.count, attempts.lasted(), end, last)
            })
            .collect()
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.operations.forgotten()
    }
}

fn finding(
    attempts: &Attempts,
    sent: u64,
    total: Duration,
    end: &str,
    (n, time): (u64, Timestamp),
) -> Finding {
    let evidence = vec![format!(
        "one {} was sent {sent} times over {:.3} s and told {} {}; {end}",
        attempts.command,
        total.as_secs_f64(),
        attempts.error,
        if attempts.count == 1 {
            "once".to_owned()
        } else {
            format!("{} times", attempts.count)
        }
    )];
    let place = format!("connection {}, {}", attempts.conn, attempts.command);
    let mut finding = Finding::new(RETRIED, place, n, time, evidence);
    let (first, last) = attempts.exchanges;
    finding.exchanges = vec![first, last, n];
    finding.exchanges.dedup();
    finding.first = attempts.first;
    finding
}
