//! Scripts of bytes in, steps out.

mod decided;
mod intact;
mod pumped;
mod script;
