//! A capture played again: its requests put to a server ([`play`]), or its replies
//! given to clients ([`Tape`], [`Serving`]).
//!
//! What is sent and why not is decided beforehand by [`Plan`], without a socket.

mod lane;
mod pace;
mod plan;
mod player;
mod serving;
mod tape;

pub use pace::Pace;
pub use plan::{Logins, NotSent, Plan, Step};
pub use player::{Connections, Played, Target, play};
pub use serving::Serving;
pub use tape::{Answer, Served, Tape};
