//! TCP: frames in, frames out.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use parallax_codec::classic::{Body, Direction, Frame, Framer, encode_reply};
use parallax_codec::{Encode as _, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::model::Refusal;
use super::server::{Shared, now};
use crate::limits::{STANDIN_CONNECTIONS, STANDIN_FRAME_BODY, STANDIN_READ_BUFFER};

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

async fn converse(mut stream: TcpStream, client: u32, shared: &Shared) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut requests = Framer::with_limit(Direction::ToServer, STANDIN_FRAME_BODY);
    let mut frames = Vec::new();
    loop {
        let mut chunk = BytesMut::with_capacity(STANDIN_READ_BUFFER);
        if stream.read_buf(&mut chunk).await? == 0 {
            return Ok(());
        }
        requests.push(chunk.freeze(), &mut frames);
        for frame in frames.drain(..) {
            let reply = answer(client, &frame, shared);
            stream.write_all(&reply).await?;
        }
    }
}

/// The bytes that answer a frame.
fn answer(client: u32, frame: &Frame, shared: &Shared) -> Bytes {
    let result = match &frame.body {
        Body::Whole(body) => {
            match Request::decode(parallax_codec::Dialect::Classic, frame.word, body) {
                Ok(request) => shared.model().answer(client, request, now()),
                Err(_) => Err(Refusal::invalid_command()),
            }
        }
        // A server answers these as it does a command that it cannot read.
        Body::Oversized { .. } | Body::Malformed { .. } => Err(Refusal::invalid_command()),
    };
    match result {
        Ok(reply) => encode_reply(0, &reply.encode()),
        Err(refusal) => {
            tracing::debug!(client, command = frame.word, code = %refusal.code, "refused");
            encode_reply(refusal.code.0, &[])
        }
    }
}
