//! Exchanges in the forms that other programs read.

mod csv;
mod hdr;
#[cfg(feature = "parquet")]
pub mod parquet;

pub use self::csv::{COLUMNS, CsvWriter};
pub use self::hdr::{HdrWriter, INTERVAL, write_timeline};
