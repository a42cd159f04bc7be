//! What the page and the API tell of partitions.

mod expression;
mod list;
mod range;
mod told;

pub(crate) use expression::{of_partition, of_unknown};
pub(crate) use list::{Row, Sort, listed};
pub(crate) use range::{Range, Window};
pub(crate) use told::{Told, told};
