//! Counting: this program once more, under callgrind, which counts only within
//! [`counted_by_callgrind`]. A process for each case, so that none meets the heap of
//! another.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use crate::case::{Case, Prepared};

/// The argument that has one case run, the one named after it.
pub(crate) const ONE: &str = "--one";

/// Has the C library copy memory in one way on every x86-64, whatever the processor is
/// good at: the figures are compared with those of another machine.
const PLAIN_COPIES: &str = "glibc.cpu.hwcaps=-AVX2,-AVX512F,-ERMS,-FSRM,-AVX_Fast_Unaligned_Load";

/// Runs a case, the second time where it counts.
pub(crate) fn run(case: &Case) {
    let Prepared { mut run, .. } = case.prepare();
    run();
    counted_by_callgrind(&mut run);
}

#[inline(never)]
fn counted_by_callgrind(run: &mut dyn FnMut()) {
    run();
    // Something is left to do, so that the call is no jump out of here.
    black_box(run);
}

/// Instructions for one item of a case.
pub(crate) fn count(case: &Case) -> u64 {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("callgrind.out");
    let mut valgrind = Command::new("valgrind");
    valgrind
        .env("GLIBC_TUNABLES", PLAIN_COPIES)
        .args(["--quiet", "--tool=callgrind"])
        .arg("--toggle-collect=*counted_by_callgrind*")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe().unwrap())
        .args([ONE, &case.name]);
    let ended = match valgrind.output() {
        Ok(ended) => ended,
        Err(error) => panic!("valgrind, which counts, does not start ({error}): install it"),
    };
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{}: {told}", case.name);
    let written = std::fs::read_to_string(&out).unwrap();
    let total = written
        .lines()
        .find_map(|line| line.strip_prefix("totals: "));
    let total: u64 = total.unwrap().parse().unwrap();
    total / case.prepare().items
}
