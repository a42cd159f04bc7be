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
mod empty;
mod expression_form;
mod fields;
mod filter_bar;
mod findings_panel;
mod format;
mod frame;
mod glance;
mod hex;
mod json_text;
mod layouts;
mod messages;
mod mirror_panel;
mod missing;
mod neighbours;
mod over_time;
mod payload;
mod place;
mod recording_panel;
mod rows;
mod sides;
mod sides_again;
mod sides_fields;
mod sides_messages;
mod sides_probe;
mod spark;
mod status;
mod summary;
mod timing;
mod timing_bar;
mod totals;
mod trouble_card;
mod wanted_parts;

pub(crate) use format::micros;
