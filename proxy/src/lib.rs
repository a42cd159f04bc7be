//! parallax: a transparent TCP debugging proxy for Apache Iggy.

pub mod credentials;
pub mod limits;
pub mod relay;
pub mod standin;
