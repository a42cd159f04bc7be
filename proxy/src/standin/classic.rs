//! The classic dialect around the state: frames in, frames out.

use bytes::{Bytes, BytesMut};
use parallax_codec::classic::{Body, Direction, Frame, Framer, encode_reply};
use parallax_codec::{Dialect, Encode as _, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::faults::Delivery;
use super::model::{Model, Refusal};
use super::server::{Shared, now};
use crate::limits::{STANDIN_FRAME_BODY, STANDIN_READ_BUFFER};

/// Answers one connection until either side closes it.
pub(super) async fn converse(
    mut stream: TcpStream,
    client: u32,
    shared: &Shared,
) -> std::io::Result<()> {
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
            let Delivery { frames, closes } = answer(client, &frame, &mut shared.model());
            for frame in frames {
                stream.write_all(&frame).await?;
            }
            if closes {
                return Ok(());
            }
        }
    }
}

/// The bytes that answer a frame.
fn answer(client: u32, frame: &Frame, model: &mut Model) -> Delivery {
    let result = match &frame.body {
        Body::Whole(body) => match Request::decode(Dialect::Classic, frame.word, body) {
            Ok(request) => model.answer(client, request, now()),
            Err(_) => Err(Refusal::invalid_command()),
        },
        // A server answers these as it does a command that it cannot read.
        Body::Oversized { .. } | Body::Malformed { .. } => Err(Refusal::invalid_command()),
    };
    let reply: Bytes = match result {
        Ok(reply) => encode_reply(0, &reply.encode()),
        Err(refusal) => {
            tracing::debug!(client, command = frame.word, code = %refusal.code, "refused");
            encode_reply(refusal.code.0, &[])
        }
    };
    model.deliver(frame.word, reply)
}
