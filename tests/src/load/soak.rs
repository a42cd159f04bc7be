//! A long load, looked at as it goes.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Answers, Load, Measured, Pace, Through};

/// What a soak is.
#[derive(Debug, Clone, Copy)]
pub struct Soak {
    /// Clients.
    pub connections: usize,
    /// Polls a second of all of them.
    pub rate: f64,
    /// How long each look is.
    pub look: Duration,
    /// How many of them.
    pub looks: usize,
}

/// What was seen in one look.
#[derive(Debug)]
pub struct Look {
    /// What clients measured.
    pub measured: Measured,
    /// parallax's resident memory at the end of it, in bytes.
    pub resident: u64,
}

/// What came of it.
#[derive(Debug)]
pub struct Soaked {
    /// The looks, in their order.
    pub looks: Vec<Look>,
    /// Exchanges that clients had.
    pub exchanges: u64,
    /// Exchanges that parallax counts.
    pub seen: u64,
    /// Exchanges in the recording, those among them that it dropped again with its
    /// oldest segments.
    pub recorded: u64,
    /// Exchanges that could not be written.
    pub not_kept: u64,
}

impl Soak {
    /// Runs it, tells of each look, and ends the relay.
    ///
    /// # Errors
    /// A connection failed, or a reply was another than the server's.
    pub fn run(
        self,
        relay: Through,
        answers: &Answers,
        mut tell: impl FnMut(&Look),
    ) -> io::Result<Soaked> {
        let mut looks = Vec::new();
        let mut exchanges = 0;
        for _ in 0..self.looks {
            let load = Load {
                connections: self.connections,
                pace: Pace::Polls(self.rate),
                warm_up: Duration::ZERO,
                duration: self.look,
            };
            let measured = load.run(relay.address, answers)?;
            // Each client logs in.
            exchanges += measured.polls + self.connections as u64;
            let look = Look {
                measured,
                resident: relay.resident(),
            };
            tell(&look);
            looks.push(look);
        }
        relay.processor_time_at_rest();
        let (recorded, not_kept) = recorded(&relay, exchanges);
        Ok(Soaked {
            looks,
            exchanges,
            recorded,
            not_kept,
            seen: relay.exchanges(),
        })
    }
}

impl Soaked {
    /// The most memory in the last third of the looks, as a part of that in the middle
    /// one: 1 where it is flat.
    #[allow(clippy::cast_precision_loss)]
    pub fn memory_growth(&self) -> f64 {
        let third = self.looks.len() / 3;
        let most = |looks: &[Look]| looks.iter().map(|look| look.resident).max().unwrap_or(0);
        let middle = most(&self.looks[third..2 * third]);
        most(&self.looks[2 * third..]) as f64 / middle as f64
    }

    /// The median latency in the last third of the looks, as a part of that in the first.
    pub fn drift(&self) -> f64 {
        let third = self.looks.len() / 3;
        let median = |looks: &[Look]| {
            let mut all = Measured::new();
            for look in looks {
                all.add(&look.measured);
            }
            all.micros(0.5)
        };
        median(&self.looks[2 * third..]) / median(&self.looks[..third])
    }
}

impl Display for Look {
    #[allow(clippy::cast_precision_loss)]
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [p50, p99, p999] = [0.5, 0.99, 0.999].map(|quantile| self.measured.micros(quantile));
        write!(
            f,
            "{:.0} polls/s, p50 {p50:.0} us, p99 {p99:.0} us, p99.9 {p999:.0} us, {:.0} MiB",
            self.measured.rate(),
            self.resident as f64 / 1_048_576.0
        )
    }
}

/// How many exchanges were recorded and how many could not be, once it is so many or
/// hardly gets on: while it waits for the disk, a recorder takes no processor time.
fn recorded(relay: &Through, exchanges: u64) -> (u64, u64) {
    let mut before = (0, Instant::now());
    loop {
        let recording = relay.ask("/api/v1/recording");
        let recorded = number(&recording["exchanges"]) + number(&recording["dropped"]);
        let not_kept = number(&recording["not_kept"]);
        if recorded > before.0 {
            before = (recorded, Instant::now());
        }
        if recorded + not_kept >= exchanges || before.1.elapsed() > WAITED_FOR {
            return (recorded, not_kept);
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// How long a recorder that gets on with nothing is waited for.
const WAITED_FOR: Duration = Duration::from_secs(15);

fn number(value: &Value) -> u64 {
    value.as_u64().expect("the API gives a number")
}
