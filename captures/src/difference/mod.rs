//! What differs between two exchanges, field by field, and between two captures,
//! exchange by exchange.
//!
//! Fields have the names that they have in JSON ([`crate::json`]), as in
//! `response.messages[3].offset`; a message's `payload` is compared as well, and in
//! the VSR dialect the headers (`request_header`, `response_header`), where both sides
//! speak it. So a capture of one
//! dialect can be compared with one of the other, as far as they have the same
//! fields.
//!
//! What must differ by nature is named by [`Rules`]: built in, each with its reason,
//! and from a file `.parallaxignore`.

mod align;
mod compare;
mod connections;
mod key;
mod rules;
mod rules_file;
mod two_captures;
mod view;

pub use compare::{Comparer, FieldDifference, Scope};
pub use connections::ConnectionPair;
pub use key::RequestKey;
pub use rules::{Rule, Rules};
pub use rules_file::RulesError;
pub use two_captures::{CaptureSide, Counted, Row, compare_captures};
