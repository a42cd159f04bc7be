//! The page of parallax: shows a journal, live or opened from a file.
//!
//! Pages are rendered here and readable without script; a small script adds
//! rows as they come and lights the bytes of a field. Decodes nothing, decides
//! no verdict.
//!
//! Everything that was captured is hostile until shown otherwise: it is escaped,
//! the pages forbid inline script and style. Who was not told the token or knows the
//! password sees nothing ([`Access`]), only the page's own names are accepted as `Host`,
//! and only the page itself can send anything.

mod about;
mod access;
mod annotate;
mod api;
mod app;
mod asked;
mod assets;
mod columns;
mod download;
mod events;
mod expression;
mod figures;
mod filter;
mod guard;
mod hosts;
mod latency;
pub mod limits;
mod matching;
mod moments;
mod monitor;
mod order;
mod origin;
mod partition;
mod patience;
mod problem;
mod refused;
mod serve;
mod sign_in;
mod snapshot;
mod view;
mod wanted;

pub use about::{About, LiveRoute, Source};
pub use access::{Access, AccessError};
pub use monitor::{Monitored, Readiness, serve_monitor};
pub use serve::{ServeError, may_listen, serve};
