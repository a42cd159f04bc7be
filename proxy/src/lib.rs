//! parallax: a transparent TCP debugging proxy for Apache Iggy.

pub mod analyst;
pub mod comparison;
pub mod credentials;
pub mod findings;
pub mod limits;
pub mod relay;
pub mod session;
