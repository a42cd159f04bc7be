//! PX103: the argument that a client prints with an error was never on the wire.

use parallax_captures::catalog::ARGUMENT_NOT_ON_WIRE;
use parallax_captures::{Dialect, Exchange, Finding};
use parallax_codec::classic::FRAME_HEADER_SIZE;
use parallax_codec::{ErrorCode, Request};

use super::place::{failure_place, what_failed};

pub(super) fn finding(exchange: &Exchange) -> Option<Finding> {
    let content = exchange.binary()?;
    let code = exchange.error().filter(|code| code.has_argument())?;
    let what = what_failed(exchange);
    let on_the_wire = match exchange.dialect {
        // Of a body that no known server sends, nobody knows what it says.
        Dialect::Classic if content.reply_frame.len() > FRAME_HEADER_SIZE => return None,
        Dialect::Classic => format!("the reply is status {code} and nothing after it"),
        Dialect::Vsr => format!("of the error the reply has the number, {code}, alone"),
        Dialect::Http => return None,
    };
    let mut evidence = vec![format!("{what} was refused: {on_the_wire}")];
    evidence.push(match (code, code.variant_name()) {
        (ErrorCode::INVALID_OFFSET, Some(variant)) => format!(
            "the Rust SDK shows {variant}(0): the (0) is the SDK's default value; it was never on \
             the wire"
        ),
        (_, variant) => format!(
            "the Rust SDK shows {} with default values (0, or nothing) for its arguments; they \
             were never on the wire",
            variant.unwrap_or_default()
        ),
    });
    if let Some(Request::StoreConsumerOffset(request)) = &content.request {
        evidence.push(format!(
            "the client asked to store offset {}: it is the store that was refused, not a poll",
            request.offset
        ));
    }
    let time = exchange.times.request_first;
    Some(Finding::new(
        ARGUMENT_NOT_ON_WIRE,
        failure_place(exchange),
        exchange.n,
        time,
        evidence,
    ))
}
