//! The pages.

pub(crate) mod exchange;
pub(crate) mod finding;
pub(crate) mod latency;
pub(crate) mod layout;
pub(crate) mod list;
pub(crate) mod overview;
pub(crate) mod part;

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
mod histogram;
mod json_text;
mod messages;
mod missing;
mod neighbours;
mod payload;
mod place;
mod rows;
mod sides;
mod sides_again;
mod sides_fields;
mod sides_messages;
mod sides_probe;
mod status;
mod summary;
mod timing;
mod timing_bar;
mod totals;
mod wanted_parts;
