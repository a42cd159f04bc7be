//! The pages.

pub(crate) mod exchange;
pub(crate) mod finding;
pub(crate) mod latency;
pub(crate) mod layout;
pub(crate) mod list;
pub(crate) mod overview;

mod cause;
mod connections_panel;
mod counted;
mod expression_form;
mod fields;
mod filter_bar;
mod findings_panel;
mod format;
mod frame;
mod hex;
mod messages;
mod payload;
mod place;
mod rows;
mod sides;
mod sides_again;
mod sides_messages;
mod status;
mod summary;
mod totals;

pub(crate) use format::micros;
