//! Bytes in, bytes out, and observations to a tap.
//!
//! The relay knows nothing of Iggy. It promises, in this order:
//!
//! 1. Bytes go on before they are looked at, unchanged and in order, both ways (the one
//!    exception, off unless asked for: [`in_path`]).
//! 2. What one end does the other end sees: a half-close, a close, a reset.
//! 3. A peer that does not take its bytes stops the other from sending: a
//!    direction holds at most the largest of [`READ_BUFFER_SIZES`].
//! 4. The tap never makes a client wait, unless that is asked for ([`OnOverload`]):
//!    what does not fit is dropped, counted, and announced as [`Event::Lost`] with the
//!    next observation that fits.
//!
//! ```text
//! accept -> own task: dial -> duplex { pump to server, pump to client } -> close
//!                                        |
//!                                        +-> tap -> Observations
//! ```
//! One task per connection polls both directions, and stays on the thread that it was
//! given (`workers.rs`): no byte crosses a thread, and no thread waits for another.
//!
//! [`READ_BUFFER_SIZES`]: crate::limits::READ_BUFFER_SIZES

mod accept;
mod activity;
mod buffer;
mod config;
mod connection;
mod connection_tap;
mod counters;
mod dial;
mod duplex;
mod end;
mod establish;
mod handshake;
mod in_flight;
pub mod in_path;
mod observation;
mod overload;
mod pump;
mod server;
mod shutdown;
mod socket;
mod tap;
mod tls_end;
mod workers;

#[cfg(test)]
mod tests;

pub use config::{RelayConfig, RelayError};
pub use counters::Counters;
pub use dial::DialFault;
pub(crate) use dial::is_itself;
pub use in_flight::InFlight;
pub use in_path::{Interceptor, Note};
pub use observation::{CloseReason, Event, Observation, Side};
pub use overload::OnOverload;
pub use server::{Relay, Statistics};
pub use shutdown::Shutdown;
pub use tap::{Observations, Tap, TapCounters, TapLimits, tap};
pub use workers::CarriedOn;
