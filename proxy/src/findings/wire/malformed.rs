//! PX407: a request that is not what its command takes.

use parallax_captures::catalog::REQUEST_MALFORMED;
use parallax_captures::{Exchange, Finding};
use parallax_codec::{Command, Direction, Fault, Request};

use super::frames::{dialect, length_announced, request_body};

pub(super) fn malformed(exchange: &Exchange) -> Option<Finding> {
    let content = exchange.binary()?;
    let undecoded = exchange.undecoded.as_ref()?;
    let of_request = undecoded.direction == Direction::ToServer && content.request.is_none();
    let dialect = dialect(exchange)?;
    let is_known = Command::from_code(content.code).is_some_and(|c| c.is_in(dialect));
    // What was too long to be looked at was cut.
    let frame = &content.request_frame;
    let is_whole = length_announced(exchange.dialect, frame) == Some(frame.len());
    if !of_request || !is_known || !is_whole {
        return None;
    }
    // Messages whose layout cannot be told are no fault.
    let fault = Request::decode(dialect, content.code, &request_body(exchange)?).err();
    if fault.is_some_and(|error| error.fault == Fault::Undetermined) {
        return None;
    }
    let answer = match (content.status, exchange.error()) {
        (_, Some(error)) => format!("the server refuses it: {error}"),
        (Some(_), None) => "the server accepts it".to_owned(),
        (None, None) => "the server has not answered it".to_owned(),
    };
    let evidence = vec![undecoded.to_string(), answer];
    Some(super::finding(exchange, REQUEST_MALFORMED, evidence))
}
