use bytes::BytesMut;
use parallax_codec::vsr::{Body, Frame, Framer, HEADER_SIZE};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::session::{Server, Session};
use crate::limits::{STANDIN_FRAME_BODY, STANDIN_READ_BUFFER};
use crate::standin::faults::Delivery;
use crate::standin::server::{Shared, now};

const LONGEST_FRAME: u64 = (HEADER_SIZE + STANDIN_FRAME_BODY) as u64;

/// Answers one connection until either side closes it. A frame that says it is
/// shorter than its header, or longer than the server reads, ends it.
pub(in crate::standin) async fn converse(
    mut stream: TcpStream,
    client: u32,
    shared: &Shared,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut requests = Framer::with_limit(STANDIN_FRAME_BODY);
    let mut session = Session::new(client);
    let mut frames = Vec::new();
    loop {
        let mut chunk = BytesMut::with_capacity(STANDIN_READ_BUFFER);
        if stream.read_buf(&mut chunk).await? == 0 {
            return Ok(());
        }
        requests.push(chunk.freeze(), &mut frames);
        for frame in frames.drain(..) {
            let Body::Whole(_) = frame.body else {
                return Ok(());
            };
            let Some(Delivery { frames, closes }) = answer(&mut session, &frame, shared) else {
                continue;
            };
            for frame in frames {
                stream.write_all(&frame).await?;
            }
            if closes {
                return Ok(());
            }
        }
        let whole = requests.unfinished().and_then(|(_, whole)| whole);
        if whole.is_some_and(|whole| whole > LONGEST_FRAME) {
            return Ok(());
        }
    }
}

fn answer(session: &mut Session, frame: &Frame, shared: &Shared) -> Option<Delivery> {
    let mut model = shared.model();
    let mut server = Server {
        model: &mut model,
        positions: &shared.positions,
        now: now(),
    };
    let (code, reply) = session.answer(frame, &mut server)?;
    Some(model.deliver(code, reply))
}
