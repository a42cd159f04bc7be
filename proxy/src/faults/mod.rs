//! Faults that are injected into what clients see, off unless asked for, so that an author
//! of a client can test how it recovers. How they are asked for: [`Fault`].

mod due;
mod empty_poll;
mod grammar;
mod injector;
mod place;
mod refusal;
mod rule;
#[cfg(test)]
mod tests;

pub use due::Due;
pub use injector::Injector;
pub use place::Place;
pub use rule::{Action, Commands, Fault};
