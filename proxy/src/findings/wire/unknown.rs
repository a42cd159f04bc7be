//! PX410: numbers that are in no table.

use parallax_captures::catalog::UNKNOWN_CODE;
use parallax_captures::{Dialect, Exchange, Finding};
use parallax_codec::Command;
use parallax_codec::vsr::{self, HEADER_SIZE, RequestHeader};

/// What of an exchange has an unknown number. One place for each number, whatever
/// connection it comes on.
pub(super) fn unknown(exchange: &Exchange) -> impl Iterator<Item = Finding> {
    let numbers = [command(exchange), error(exchange)];
    numbers.into_iter().flatten().map(|what| {
        let evidence = vec![format!("{what}, which no known version has")];
        let time = exchange.times.request_first;
        Finding::new(UNKNOWN_CODE, what, exchange.n, time, evidence)
    })
}

fn command(exchange: &Exchange) -> Option<String> {
    let content = exchange.binary()?;
    let code = content.code;
    // A command of the other dialect is one that the server will refuse, no unknown.
    if Command::from_code(code).is_some() {
        return None;
    }
    let name = match exchange.dialect {
        Dialect::Vsr => "the VSR dialect",
        Dialect::Classic | Dialect::Http => "the classic dialect",
    };
    if let Some(header) = content.request_frame.first_chunk::<HEADER_SIZE>()
        && exchange.dialect == Dialect::Vsr
    {
        let header = RequestHeader::of(header);
        let is_request = header.prelude.command == vsr::Command::REQUEST;
        if is_request && header.operation != vsr::Operation::NON_REPLICATED {
            let operation = header.operation.0;
            return Some(format!("operation {operation} (0x{operation:x}) of {name}"));
        }
    }
    Some(format!("command {code} (0x{code:x}) of {name}"))
}

fn error(exchange: &Exchange) -> Option<String> {
    exchange.binary()?;
    let code = exchange.error()?;
    code.name()
        .is_none()
        .then(|| format!("error {0} (0x{0:x})", code.0))
}
