//! Iggy's HTTP poll as text: the request's target and the answer's body.
//!
//! Learned from recordings of servers 0.8.0 and 0.9-edge
//! (`http_server-0.8.0`, `http_server-0.9-edge`) and, for older servers, from
//! the public reports gathered as cases C4, C7 and C8.

mod answer;
mod exact;
mod headers;
mod target;

pub(crate) use self::exact::Exact;
pub use answer::{parse_answer, parse_refusal};
pub(crate) use target::decode_segment;
pub use target::{parse_target, target, topic_target};
