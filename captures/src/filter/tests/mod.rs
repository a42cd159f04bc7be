//! The language by its sentences, its errors and limits, and against the JSON.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod errors;
mod evaluation;
mod fields;
mod index;
mod limits;
mod of_value;
mod property;
pub(crate) mod sample;
