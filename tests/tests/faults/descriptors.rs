//! As many files open as may be.

use std::net::{SocketAddr, TcpStream as Held};
use std::time::Duration;

use parallax_tests::{Running, program};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::{PATIENCE, PONG, answer_pings, ping};

/// More than the program below may have files open.
const READERS: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn px902_that_no_files_are_left_is_told_and_is_over_once_some_are() {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = server.local_addr().unwrap().to_string();
    tokio::spawn(answer_pings(server));
    let few = "ulimit -n 80 && exec \"$0\" \"$@\"";
    let program = program().to_str().unwrap();
    let mut arguments = vec!["-c", few, program, "run", "--no-mirror", "--upstream"];
    arguments.push(&upstream);
    arguments.extend(["--listen", "127.0.0.1:0", "--ui", "127.0.0.1:0"]);
    let mut running = Running::start_as("sh", &arguments, |_| {});
    let line = running.line_with("listening  ");
    let listener: SocketAddr = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    let page = running.page();

    // Clients alone may not have them all: for so many there is room. But readers of the
    // page have files as well.
    let readers: Vec<_> = (0..READERS)
        .map(|_| Held::connect(page.socket).unwrap())
        .collect();
    let mut told = tokio::task::spawn_blocking(move || {
        let line = running.line_with("PX902");
        (running, line)
    });
    let mut clients = Vec::new();
    let telling = async {
        loop {
            clients.push(Held::connect(listener).unwrap());
            tokio::select! {
                told = &mut told => return told.unwrap(),
                () = sleep(Duration::from_millis(50)) => {}
            }
        }
    };
    let (running, line) = timeout(PATIENCE, telling).await.unwrap();
    assert!(line.contains("could not let clients in"), "{line}");
    drop((clients, readers));

    // As soon as those that waited are gone.
    timeout(PATIENCE, async { while !is_served(listener).await {} })
        .await
        .unwrap();
    let findings = page.get("/api/v1/findings").await;
    assert!(findings.contains("PX902"), "{findings}");
    let overview = page.get("/").await;
    assert!(overview.contains("could not let clients in"), "{overview}");
    assert!(running.interrupt().success());
}

async fn is_served(listener: SocketAddr) -> bool {
    let mut client = TcpStream::connect(listener).await.unwrap();
    let mut reply = [0; PONG.len()];
    client.write_all(&ping()).await.is_ok()
        && client.read_exact(&mut reply).await.is_ok()
        && reply == PONG
}
