//! What every program tells of itself.

use std::fs;

use jiff::Timestamp;

use crate::telemetry::family::Family;
use crate::telemetry::metrics::{BUILD_INFO, MAX_FDS, OPEN_FDS, RESIDENT, START_TIME};

pub(super) fn gather(started: Timestamp) -> Vec<Family> {
    let version = env!("CARGO_PKG_VERSION");
    let since_1970 = started.as_duration().as_secs_f64();
    let mut families = vec![
        Family::of(&START_TIME, since_1970),
        Family::new(&BUILD_INFO).with([version], 1_u64),
    ];
    families.extend(resident().map(|bytes| Family::of(&RESIDENT, bytes)));
    families.extend(open_fds().map(|count| Family::of(&OPEN_FDS, count)));
    families.extend(max_fds().map(|count| Family::of(&MAX_FDS, count)));
    families
}

/// From Linux' `/proc`; elsewhere it is not told.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn open_fds() -> Option<u64> {
    let open = fs::read_dir("/proc/self/fd").ok()?.count() as u64;
    // Without the one that this took.
    Some(open.saturating_sub(1))
}

fn max_fds() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}
