//! Frames that were kept, decoded once more.

use bytes::Bytes;
use parallax_codec::Direction;
use parallax_codec::vsr::StatusLayout;

use super::frame::AnyFrame;
use super::pair::decode;
use crate::connection::Dialect;
use crate::exchange::BinaryContent;

/// What kept frames hold, which are masked already. `reply` is empty where there was
/// none; `status` is what was read of it then.
///
/// # Errors
/// Which frame is too short to be one.
pub fn kept(
    dialect: Dialect,
    request: Bytes,
    reply: Bytes,
    status: Option<u32>,
) -> Result<BinaryContent, String> {
    let asked = AnyFrame::kept(dialect, Direction::ToServer, &request)
        .ok_or("the request's frame is shorter than its header")?;
    let answer = if reply.is_empty() {
        None
    } else {
        let answer = AnyFrame::kept(dialect, Direction::ToClient, &reply);
        Some(answer.ok_or("the reply's frame is shorter than its header")?)
    };
    // Where a VSR reply has its status its connection told; here the status does.
    let layouts = [
        None,
        Some(StatusLayout::At216),
        Some(StatusLayout::At224),
        Some(StatusLayout::Nowhere),
    ];
    let read = |layout| {
        let content = decode(&asked, answer.as_ref(), layout).content;
        (content.status == status).then_some(content)
    };
    let found = layouts.into_iter().find_map(read);
    let mut content = found.unwrap_or_else(|| decode(&asked, answer.as_ref(), None).content);
    content.request_frame = request;
    content.reply_frame = reply;
    Ok(content)
}
