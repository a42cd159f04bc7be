//! Load for a relay: clients that poll in lockstep, a server that answers at no
//! cost, and the processes in between.
//!
//! The answers are a stand-in's own bytes, taken from it before and given again
//! without working them out, so that what is measured is the relay.

mod answers;
mod client;
mod measured;
mod responder;
mod soak;
mod through;

pub use answers::{Answers, Filled, fill, standin};
pub use client::{Load, Pace};
pub use measured::Measured;
pub use responder::Responder;
pub use soak::{Look, Soak, Soaked};
pub use through::{Kind, Through};
