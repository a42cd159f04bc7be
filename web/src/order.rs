//! In which order a list stands, and where a page of it begins.

use parallax_captures::{Measure, Rank};

use crate::problem::Problem;

/// The order of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Order {
    #[default]
    Newest,
    Oldest,
    Latency,
    Size,
}

impl Order {
    pub(crate) const ALL: [Self; 4] = [Self::Newest, Self::Oldest, Self::Latency, Self::Size];

    /// The name in an address (`sort`).
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Oldest => "oldest",
            Self::Latency => "latency",
            Self::Size => "size",
        }
    }

    /// What stands first.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Newest => "newest first",
            Self::Oldest => "oldest first",
            Self::Latency => "slowest first",
            Self::Size => "largest first",
        }
    }

    /// What it goes by, where that is not the number.
    pub(crate) const fn measure(self) -> Option<Measure> {
        match self {
            Self::Newest | Self::Oldest => None,
            Self::Latency => Some(Measure::Latency),
            Self::Size => Some(Measure::Bytes),
        }
    }

    /// # Errors
    /// Which names there are.
    pub(crate) fn parse(name: &str) -> Result<Self, Problem> {
        let known = Self::ALL.into_iter().find(|order| order.name() == name);
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Problem::bad_query(format!("sort must be one of {names}."))
        })
    }
}

/// Digits of a number in a place, at most: JavaScript has them exactly.
const DIGITS: usize = 15;

/// A place as it stands in an address: `1500.12`.
pub(crate) fn written((value, n): Rank) -> String {
    format!("{value}.{n}")
}

/// # Errors
/// How a place is written.
pub(crate) fn place(text: &str) -> Result<Rank, Problem> {
    let number = |digits: &str| {
        let fits = digits.len() <= DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| fits)
    };
    let pair = text.split_once('.');
    let pair = pair.and_then(|(value, n)| Some((number(value)?, number(n)?)));
    pair.ok_or_else(|| Problem::bad_query("past must be two whole numbers, like 1500.12."))
}
