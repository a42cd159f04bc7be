//! The time that a partition's drawing shows: the query of its address.

use jiff::{SignedDuration, Timestamp, Unit};

use crate::problem::Problem;

/// What was asked for: a time, or the surroundings of an exchange, or all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Range {
    /// Its begin.
    pub(crate) from: Option<Timestamp>,
    /// Its end.
    pub(crate) to: Option<Timestamp>,
    /// The exchange in its middle.
    pub(crate) around: Option<u64>,
}

/// The shortest time that can be looked at.
const SHORTEST: SignedDuration = SignedDuration::from_millis(1);

impl Range {
    /// Reads a query.
    ///
    /// # Errors
    /// Which parameter is not understood, and what it may be.
    pub(crate) fn parse(query: &[(String, String)]) -> Result<Self, Problem> {
        let mut range = Self::default();
        for (name, value) in query.iter().filter(|(_, value)| !value.is_empty()) {
            match name.as_str() {
                "from" => range.from = Some(time(name, value)?),
                "to" => range.to = Some(time(name, value)?),
                "around" => {
                    let number = value.parse();
                    let number = number.map_err(|_| {
                        Problem::bad_query("around is the number of an exchange: around=12.")
                    })?;
                    range.around = Some(number);
                }
                _ => {
                    let what =
                        format!("There is no parameter {name}; there are from, to and around.");
                    return Err(Problem::bad_query(what));
                }
            }
        }
        // Between two times, whichever was named first.
        if let (Some(from), Some(to)) = (range.from, range.to) {
            range.from = Some(from.min(to));
            range.to = Some(from.max(to));
        }
        Ok(range)
    }

    /// Whether all of it is looked at.
    pub(crate) fn is_whole(self) -> bool {
        self == Self::default()
    }
}

fn time(name: &str, value: &str) -> Result<Timestamp, Problem> {
    value.parse().map_err(|_| {
        let what = format!("{name} is a time like 2026-11-30T07:05:05Z, and {value:?} is none.");
        Problem::bad_query(what)
    })
}

/// A time between two others, as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) from: Timestamp,
    pub(crate) to: Timestamp,
}

impl Window {
    /// At least [`SHORTEST`] long.
    pub(crate) fn new(from: Timestamp, to: Timestamp) -> Self {
        let least = from.checked_add(SHORTEST).unwrap_or(Timestamp::MAX);
        Self {
            from,
            to: to.max(least),
        }
    }

    /// With some room on both sides, so that nothing stands at the edge.
    pub(crate) fn with_room(self) -> Self {
        let room = self.length() / 50;
        self.moved(-room, room)
    }

    pub(crate) fn length(self) -> SignedDuration {
        self.to.duration_since(self.from)
    }

    /// Half as long, about `center` or its middle.
    pub(crate) fn closer(self, center: Option<Timestamp>) -> Self {
        let quarter = self.length() / 4;
        let within = center.filter(|time| (self.from..=self.to).contains(time));
        let middle = within.unwrap_or_else(|| add(self.from, self.length() / 2));
        Self::new(add(middle, -quarter), add(middle, quarter))
    }

    /// Twice as long.
    pub(crate) fn farther(self) -> Self {
        let half = self.length() / 2;
        self.moved(-half, half)
    }

    /// Half its length earlier, or later.
    pub(crate) fn beside(self, later: bool) -> Self {
        let half = self.length() / 2;
        let by = if later { half } else { -half };
        self.moved(by, by)
    }

    fn moved(self, from: SignedDuration, to: SignedDuration) -> Self {
        Self::new(add(self.from, from), add(self.to, to))
    }

    /// As it stands in an address.
    pub(crate) fn query(self) -> String {
        format!("?from={}&to={}", written(self.from), written(self.to))
    }
}

fn add(time: Timestamp, by: SignedDuration) -> Timestamp {
    let end = if by.is_negative() {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    time.checked_add(by).unwrap_or(end)
}

/// To the microsecond.
fn written(time: Timestamp) -> String {
    time.round(Unit::Microsecond).unwrap_or(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(query: &str) -> Vec<(String, String)> {
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap();
            (name.to_owned(), value.to_owned())
        };
        query.trim_start_matches('?').split('&').map(pair).collect()
    }

    #[test]
    fn what_a_link_says_is_what_is_read_back() {
        let from = Timestamp::from_microsecond(1_790_000_000_000_001).unwrap();
        let window = Window::new(from, from + SignedDuration::from_secs(8));
        let read = Range::parse(&pairs(&window.query())).unwrap();
        assert_eq!((read.from, read.to), (Some(window.from), Some(window.to)));
    }

    #[test]
    fn closer_and_farther_are_each_others_opposite() {
        let from = Timestamp::from_second(1_790_000_000).unwrap();
        let window = Window::new(from, from + SignedDuration::from_secs(8));
        assert_eq!(window.closer(None).farther(), window);
        assert_eq!(window.beside(true).beside(false), window);
        let center = from + SignedDuration::from_secs(7);
        assert_eq!(
            window.closer(Some(center)).to,
            from + SignedDuration::from_secs(9)
        );
    }

    #[test]
    fn the_ends_of_time_are_no_trouble() {
        let all = Window::new(Timestamp::MIN, Timestamp::MAX);
        assert_eq!(all.farther(), all);
        let short = Window::new(Timestamp::MAX, Timestamp::MAX);
        assert!(short.closer(None).length() >= SignedDuration::ZERO);
    }

    #[test]
    fn what_is_no_time_is_refused_with_an_example() {
        for query in ["from=yesterday", "around=x", "until=1"] {
            assert!(Range::parse(&pairs(query)).is_err(), "{query}");
        }
    }

    #[test]
    fn two_times_are_a_range_whichever_is_named_first() {
        let range = |query| Range::parse(&pairs(query)).unwrap();
        let ahead = range("from=2026-11-30T07:05:05Z&to=2026-11-30T07:05:06Z");
        assert_eq!(
            range("from=2026-11-30T07:05:06Z&to=2026-11-30T07:05:05Z"),
            ahead
        );
    }
}
