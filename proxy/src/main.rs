//! The `parallax` program.

use std::process::ExitCode;

/// What is seen is kept in many small pieces that one thread makes and another drops:
/// the system's allocator spends more on that than decoding does. Without huge pages:
/// zeroing one, two megabytes, holds up a client for milliseconds
/// (`docs/performance.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    parallax_proxy::cli::main()
}
