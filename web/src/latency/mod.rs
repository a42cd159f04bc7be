//! Latencies that were asked for: what the page, the API and the log show of them.

mod cells;
mod choice;
mod compared;
pub(crate) mod json;
pub(crate) mod log;
mod percentiles;
mod report;

pub(crate) use self::cells::{Cells, cells, start_of};
pub(crate) use self::choice::{Choice, Times, label_text};
pub(crate) use self::compared::{Compared, decimal};
pub(crate) use self::percentiles::{CURVE, Percentile, SHOWN, in_words};
pub(crate) use self::report::Report;
