//! The page of parallax: shows a journal, live or opened from a file.
//!
//! Pages are rendered here and readable without script; a small script adds
//! rows as they come and lights the bytes of a field. Decodes nothing, decides
//! no verdict.
//!
//! Everything that was captured is hostile until shown otherwise: it is escaped,
//! the pages forbid inline script and style, only this machine's own names for
//! itself are accepted as `Host`, and only `GET` is answered.

mod about;
mod api;
mod app;
mod assets;
mod events;
mod expression;
mod figures;
mod filter;
mod guard;
mod latency;
pub mod limits;
mod patience;
mod problem;
mod serve;
mod view;
mod wanted;

pub use about::{About, Source};
pub use app::router;
pub use serve::{ServeError, serve};
