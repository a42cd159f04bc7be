//! What the task of a connection takes of memory.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::relay::connection::Connection;
use crate::relay::connection_tap::ConnectionTap;
use crate::relay::workers::Carried;
use crate::relay::{RelayConfig, Shutdown, TapLimits, tap};
use crate::session::Session;

/// Of the 16 KiB that an idle connection may take in all.
const TASK: usize = 4 * 1024;

#[test]
fn the_task_and_the_session_of_a_connection_take_little() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let client = TcpStream::connect(address).unwrap();
    let (tap, _observations) = tap(TapLimits::default());
    let config = Arc::new(RelayConfig::new("127.0.0.1:8090"));
    let tapped = ConnectionTap::open(tap, 1, address, &config);
    let connection = Box::new(Connection {
        own: [address].into(),
        config,
        counters: Arc::default(),
        shutdown: Shutdown::new().part(),
        tap: Some(tapped),
        place: Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap(),
        carried: Carried::default(),
    });
    let parts = [size_of::<Connection>(), size_of::<Session>()];
    let task = size_of_val(&connection.run(client));
    let all = task + parts.iter().sum::<usize>();
    assert!(all < TASK, "{task} for the task, {parts:?} beside it");
}
