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

mod clock;
mod ending;
#[cfg(test)]
mod gap_tests;
mod held;
mod not_accepted;
mod observer;
mod overload;
mod proxy;
mod route;
#[cfg(test)]
mod routes_tests;
#[cfg(test)]
mod tests;
mod ways;

pub use proxy::{PageConfig, Proxy, ProxyConfig, ProxyError};
pub use route::RouteConfig;
