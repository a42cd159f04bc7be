//! What a service manager is told: systemd's `sd_notify`, where it started the program
//! (`Type=notify`). The protocol is a datagram of `NAME=value` lines to the socket that
//! `NOTIFY_SOCKET` names (`sd_notify(3)`, systemd 252).

use std::env;
use std::fs::remove_file;
use std::io::{self, Write as _};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use parallax_captures::private;

/// Clients can connect from now on.
pub(super) fn is_ready(status: &str) {
    tell(&format!("READY=1\nSTATUS={}", one_line(status)));
}

/// No more clients are taken; those that are connected are let finish.
pub(super) fn is_stopping() {
    tell("STOPPING=1\nSTATUS=lets open requests finish");
}

/// What is configured is read again.
pub(super) fn is_reloading() {
    tell("RELOADING=1");
}

/// What is configured was read again, or stays as it was.
pub(super) fn is_reloaded() {
    tell("READY=1");
}

/// A service manager that cannot be told is no reason not to serve.
fn tell(state: &str) {
    if let Some(socket) = env::var_os("NOTIFY_SOCKET")
        && let Err(error) = send(&PathBuf::from(socket), state)
    {
        tracing::warn!("the service manager is not told how parallax does: {error}");
    }
}

fn send(socket: &Path, state: &str) -> io::Result<()> {
    let sender = UnixDatagram::unbound()?;
    let sent = match abstract_address(socket)? {
        Some(address) => sender.send_to_addr(state.as_bytes(), &address)?,
        None => sender.send_to(state.as_bytes(), socket)?,
    };
    debug_assert_eq!(sent, state.len(), "a datagram is sent whole");
    Ok(())
}

/// A name that begins with `@` is in Linux's abstract namespace.
#[cfg(target_os = "linux")]
fn abstract_address(socket: &Path) -> io::Result<Option<std::os::unix::net::SocketAddr>> {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::SocketAddr;

    let name = socket.as_os_str().as_encoded_bytes().strip_prefix(b"@");
    name.map(SocketAddr::from_abstract_name).transpose()
}

#[cfg(not(target_os = "linux"))]
const fn abstract_address(_: &Path) -> io::Result<Option<std::os::unix::net::SocketAddr>> {
    Ok(None)
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

/// How the page's address is told. A service's standard output is a log, which others
/// read: there the token that opens the page is kept in a file for its owner alone, in
/// the directory that systemd makes for it and names in `RUNTIME_DIRECTORY`.
///
/// # Errors
/// The file cannot be written.
pub(super) fn told_page(page: &str) -> anyhow::Result<String> {
    match (env::var_os("RUNTIME_DIRECTORY"), page.split_once(TOKEN)) {
        (Some(directory), Some((address, _))) => {
            let path = PathBuf::from(directory).join("page");
            keep(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
            Ok(format!("{address}  (with its token: {})", path.display()))
        }
        _ => Ok(page.to_owned()),
    }
}

/// Where the token begins in the page's address.
const TOKEN: &str = "/?token=";

fn keep(path: &Path, page: &str) -> io::Result<()> {
    match remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    writeln!(private::create_new(path)?, "{page}")
}
