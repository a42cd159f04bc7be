//! What is wrong, from one exchange or many. Pure: exchanges and verdicts in,
//! findings out; the time is that of the exchange.

mod argument;
mod mirrored;
mod place;
mod repeated;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
mod wire;

use parallax_captures::{Exchange, Finding, Verdict};

use repeated::Repeated;

use crate::session::Skew;

/// Recognises findings as exchanges and verdicts come in.
#[derive(Debug, Default)]
pub struct Findings {
    repeated: Repeated,
}

impl Findings {
    /// Nothing seen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What an exchange shows, once it was recorded and has its number.
    pub fn on_exchange(&mut self, exchange: &Exchange) -> Vec<Finding> {
        let argument = argument::finding(exchange);
        let repeated = self.repeated.finding(exchange);
        let single = argument.into_iter().chain(repeated);
        single.chain(wire::findings(exchange)).collect()
    }

    /// What it shows that client and server frame differently, of which
    /// `exchange` was the last.
    pub fn on_skew(&mut self, exchange: &Exchange, skew: &Skew) -> Finding {
        wire::skewed(exchange, skew)
    }

    /// What the verdict on an exchange shows.
    pub fn on_verdict(&mut self, exchange: &Exchange, verdict: &Verdict) -> Vec<Finding> {
        mirrored::findings(exchange, verdict)
    }

    /// Repeated failures that were forgotten, for want of room.
    pub fn forgotten(&self) -> u64 {
        self.repeated.forgotten()
    }
}
