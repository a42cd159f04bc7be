//! Tests that need a double for a socket, a clock or a listener. Those over real
//! sockets are in `tests/relay_*.rs`.

mod accept;
mod copy;
mod doubles;
mod quiet;
mod size;
mod tap;
