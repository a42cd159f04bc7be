//! A running proxy: relay, tap, sessions, mirror, page, put together.
//!
//! ```text
//! client <-> relay <-> server          bytes, at once
//!              | tap (bounded, may drop)
//!           observer: a session per connection -> exchanges
//!              |               |
//!           analyst         mirror -> HTTP
//!              \--> journal <--/
//!                     |
//!                    page
//! ```

#[cfg(test)]
mod gap_tests;
mod observer;
mod overload;
mod proxy;
#[cfg(test)]
mod tests;

pub use proxy::{PageConfig, Proxy, ProxyConfig, ProxyError};
