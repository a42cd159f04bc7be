//! The `parallax` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    parallax_proxy::cli::main()
}
