//! TCP: connections, and who speaks on them.

use std::sync::Arc;

use parallax_codec::Dialect;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::server::Shared;
use super::{classic, vsr};
use crate::limits::STANDIN_CONNECTIONS;

/// Accepts connections until told to stop. Beyond the limit a connection is
/// closed at once, and counted.
pub(super) async fn serve(
    listener: TcpListener,
    shared: Arc<Shared>,
    stop: CancellationToken,
    tasks: TaskTracker,
) {
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, address)) = accepted else {
            // Out of file descriptors, most likely: give others time to close.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            continue;
        };
        if shared.connections() >= STANDIN_CONNECTIONS {
            shared.count_refused_connection();
            continue;
        }
        let client = shared.model().connect(address);
        let (shared, stop) = (Arc::clone(&shared), stop.clone());
        tasks.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                result = converse(stream, client, &shared) => if let Err(error) = result {
                    tracing::debug!(client, %error, "the stand-in lost a connection");
                },
            }
            shared.model().disconnect(client);
        });
    }
}

async fn converse(stream: TcpStream, client: u32, shared: &Shared) -> std::io::Result<()> {
    let dialect = shared.model().dialect();
    match dialect {
        Dialect::Classic => classic::converse(stream, client, shared).await,
        Dialect::Vsr => vsr::converse(stream, client, shared).await,
    }
}
