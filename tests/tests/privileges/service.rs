//! What systemd is told, by a socket of this test's own.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use parallax_tests::{PageAddress, Running};

use crate::Directory;

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);

/// The program as a service.
fn service(socket: &str, directory: &Directory) -> Running {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let upstream = server.local_addr().unwrap().to_string();
    let arguments = [
        "run",
        "--no-mirror",
        "--listen",
        "127.0.0.1:0",
        "--ui",
        "127.0.0.1:0",
        "--upstream",
        &upstream,
    ];
    Running::start_with(&arguments, |command| {
        command
            .env("NOTIFY_SOCKET", socket)
            .env("RUNTIME_DIRECTORY", directory.path());
    })
}

fn next(socket: &UnixDatagram) -> String {
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut state = [0; 4096];
    let length = socket.recv(&mut state).unwrap();
    String::from_utf8(state[..length].to_vec()).unwrap()
}

#[test]
fn it_is_ready_once_clients_can_connect_and_stopping_once_it_is_told_to_end() {
    let directory = Directory::new("notify");
    let path = directory.join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    let mut running = service(path.to_str().unwrap(), &directory);
    let state = next(&manager);
    assert!(state.starts_with("READY=1\nSTATUS="), "{state}");
    let listening = running.line_with("listening  ");
    let address = listening.split_whitespace().nth(1).unwrap();
    TcpStream::connect(address).unwrap();
    running.signal("HUP");
    assert_eq!(next(&manager), "RELOADING=1");
    assert_eq!(next(&manager), "READY=1");
    running.signal("TERM");
    let state = next(&manager);
    assert!(state.starts_with("STOPPING=1\n"), "{state}");
    assert!(running.ended().success());
}

#[test]
fn a_socket_without_a_file_is_told_as_well() {
    let directory = Directory::new("abstract");
    let name = format!("parallax-test-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let manager = UnixDatagram::bind_addr(&address).unwrap();
    let _running = service(&format!("@{name}"), &directory);
    assert!(next(&manager).starts_with("READY=1\n"));
}

#[test]
fn a_socket_that_nobody_reads_keeps_no_client_waiting() {
    let directory = Directory::new("nobody");
    let mut running = service("/nowhere/at/all", &directory);
    running.line_with("Ctrl-C");
    assert!(running.interrupt().success());
}

#[test]
fn the_token_of_a_services_page_is_in_a_file_for_its_owner_alone_and_not_in_the_log() {
    let directory = Directory::new("token");
    let page = directory.join("page");
    // Of an earlier run, open to all.
    fs::write(&page, "old").unwrap();
    let mut running = service("/nowhere/at/all", &directory);
    let line = running.line_with("page  ");
    assert!(!line.contains("token="), "{line}");
    assert!(line.contains(page.to_str().unwrap()), "{line}");
    assert_eq!(
        fs::metadata(&page).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let told = fs::read_to_string(&page).unwrap();
    let address = PageAddress::of(told.trim_end());
    assert!(line.contains(&address.socket.to_string()), "{line}");
    assert!(address.token.len() >= 32);
}
