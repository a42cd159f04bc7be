//! What a shape says and what its type says are the same: read by its shape, a body has
//! the fields that the codec gives it, and one that the codec refuses is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod bodies;
mod entropy;
mod headers;
mod read;
mod write;
