//! SIGHUP: connections from then on are served with what the files hold now.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use parallax_tests::{Issued, Running};
use rustls::pki_types::CertificateDer;
use tokio::io::AsyncWriteExt as _;
use tokio::time::sleep;

use crate::support::{Identity, World, echo, read, soon};

/// The certificate that a new client is shown.
async fn shown(world: &World, address: SocketAddr) -> CertificateDer<'static> {
    let client = world.client(address).await;
    let (_, state) = client.get_ref();
    state.peer_certificates().unwrap()[0].clone().into_owned()
}

/// The program, with this certificate, and where clients connect.
fn serving(
    files: &Identity,
    upstream: &str,
    change: impl FnOnce(&mut Command),
) -> (Running, SocketAddr) {
    let mut arguments = vec!["run", "--no-mirror", "--upstream", upstream];
    arguments.extend(["--listen", "127.0.0.1:0", "--ui", "127.0.0.1:0"]);
    arguments.extend(["--tls-certificate", files.certificate.to_str().unwrap()]);
    arguments.extend(["--tls-key", files.key.to_str().unwrap()]);
    let mut program = Running::start_with(&arguments, change);
    let line = program.line_with("listening");
    let address = line.split_whitespace().nth(1).unwrap();
    (program, address.parse().unwrap())
}

/// Waits until the program's log holds this.
async fn logged(log: &Path, wanted: &str) {
    soon(async {
        while !std::fs::read_to_string(log).unwrap().contains(wanted) {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

fn der(issued: &Issued) -> CertificateDer<'static> {
    issued.chain().remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_are_read_again_and_a_broken_file_leaves_the_ones_before() {
    let world = World::new("reload");
    let (first, second) = (world.local(), world.local());
    let files = world.identity("served", &first);
    let log = world.folder.file("log");
    let upstream = echo().await.to_string();
    let (mut program, address) = serving(&files, &upstream, |command| {
        let log = std::fs::File::create(&log).unwrap();
        command.env_remove("PARALLAX_LOG").stderr(Stdio::from(log));
    });
    let mut open = world.client(address).await;
    assert_eq!(shown(&world, address).await, der(&first));

    world.identity("served", &second);
    program.signal("HUP");
    logged(&log, "were read again").await;
    assert_eq!(shown(&world, address).await, der(&second));

    world
        .folder
        .write("served.key", "half a key, as where a disk was full");
    program.signal("HUP");
    logged(&log, "stays in use").await;
    assert_eq!(shown(&world, address).await, der(&second));
    let told = std::fs::read_to_string(&log).unwrap();
    assert!(told.contains("served.key holds no private key"), "{told}");

    // Whoever was there before goes on.
    open.write_all(b"still here").await.unwrap();
    open.flush().await.unwrap();
    assert_eq!(read(&mut open, 10).await, b"still here");
    assert!(program.is_alive());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_read_to_its_end_keeps_no_client_waiting_nor_the_program_from_its_end()
 {
    let world = World::new("hanging");
    let issued = world.local();
    let files = world.identity("served", &issued);
    let upstream = echo().await.to_string();
    let (program, address) = serving(&files, &upstream, |_| {});
    // What a disk that hangs is to who reads: a pipe that nobody writes to.
    std::fs::remove_file(&files.certificate).unwrap();
    let made = Command::new("mkfifo").arg(&files.certificate).status();
    assert!(made.unwrap().success());
    for _ in 0..5 {
        program.signal("HUP");
        assert_eq!(shown(&world, address).await, der(&issued));
    }
    let ended = tokio::task::spawn_blocking(|| program.interrupt());
    assert!(soon(ended).await.unwrap().success());
}
