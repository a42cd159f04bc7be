//! What the nouns of [`parallax_captures::json`] look like in JSON, for the document.
//! Every field that is there is here; a field that may be missing says so.

mod comparison;
mod connection;
mod exchange;
mod finding;
mod gap;
mod life;
mod parts;
mod poll;
mod problem;
mod two_answers;
mod value;

pub(super) use connection::Connection;
pub(super) use exchange::Exchange;
pub(super) use finding::Finding;
pub(super) use gap::GapOfConnection;
pub(super) use life::Life;
pub(super) use parts::{Times, WholeMessage};
pub(super) use problem::Problem;
pub(super) use two_answers::TwoAnswers;
pub(super) use value::{Identifier, Number};
