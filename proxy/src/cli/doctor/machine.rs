//! This machine: addresses, disk, open files.

use std::net::TcpListener;
use std::path::Path;

use super::check::Check;
use crate::cli::descriptors::room_for;
use crate::cli::run::RunArguments;

pub(super) fn checks(settings: &RunArguments) -> Vec<Check> {
    let page = &settings.ui.ui;
    let mut checks = vec![
        listens(
            "page",
            page,
            "Choose another with --ui, or end what listens there",
        ),
        open_files(settings.max_connections),
    ];
    if let Some((directory, keep)) = settings.record.directory() {
        checks.push(disk(directory, keep));
    }
    checks
}

/// Whether an address is free; it is given back at once.
pub(super) fn listens(what: &'static str, address: &str, advice: &'static str) -> Check {
    match TcpListener::bind(address) {
        Ok(_) => Check::ok(what, format!("{address} is free")),
        Err(error) => Check::failed(what, format!("cannot listen on {address}: {error}"), advice),
    }
}

fn open_files(wanted: usize) -> Check {
    let room = room_for(wanted);
    if room < wanted {
        return Check::warning(
            "files",
            format!("the limit of open files is enough for {room} clients, not for {wanted}"),
            "Raise it (ulimit -n, LimitNOFILE), or lower --max-connections",
        );
    }
    Check::ok("files", format!("enough may be open for {wanted} clients"))
}

const UNWRITABLE: &str = "Choose another with --record, or let this user write there";

fn disk(directory: &Path, keep: u64) -> Check {
    let shown = directory.display();
    // It is made where it is not there.
    let there = directory.ancestors().find(|one| {
        let is_current = one.as_os_str().is_empty();
        is_current || one.exists()
    });
    let there = match there {
        Some(one) if !one.as_os_str().is_empty() => one,
        _ => Path::new("."),
    };
    if !there.is_dir() {
        return Check::failed(
            "disk",
            format!("{} is no directory", there.display()),
            UNWRITABLE,
        );
    }
    let probe = there.join(format!(".parallax-doctor-{}", std::process::id()));
    let written = std::fs::write(&probe, b"parallax").and_then(|()| std::fs::remove_file(&probe));
    if let Err(error) = written {
        let seen = format!("cannot write into {}: {error}", there.display());
        return Check::failed("disk", seen, UNWRITABLE);
    }
    let Some(free) = free_bytes(there) else {
        let seen =
            format!("{shown} can be written to; how much is free there, the system does not say");
        return Check::not_known("disk", seen, None);
    };
    let mebibytes = |bytes: u64| bytes / (1024 * 1024);
    let is_there = if directory.exists() {
        "can be written to"
    } else {
        "can be made"
    };
    let seen = format!(
        "{shown} {is_there}, {} MiB are free, and up to {} MiB are kept",
        mebibytes(free),
        mebibytes(keep)
    );
    if free < keep {
        return Check::warning("disk", seen, "Lower --record-keep, or make room");
    }
    Check::ok("disk", seen)
}

#[cfg(unix)]
fn free_bytes(directory: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(directory).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
const fn free_bytes(_: &Path) -> Option<u64> {
    None
}
