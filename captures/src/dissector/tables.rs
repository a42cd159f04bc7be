//! The codec's tables as Lua.

use std::fmt::Write as _;

use parallax_codec::messages::{HeaderKind, HeaderLayout};
use parallax_codec::shape::{self, Parts};
use parallax_codec::vsr::{self, EvictionReason, Operation};
use parallax_codec::{
    COMMANDS, Dialect, Direction, ErrorCode, code, empty_reply_meaning, limits::MAX_FRAME_BODY,
};

use super::shapes::{Shapes, kinds, table};
use crate::layouts::message_layout_name;
use crate::limits::{DISSECTED_FIELDS, DISSECTED_OPEN_REQUESTS, DISSECTOR_TRIES, SHOWN_FIELDS};

/// The port of an Iggy server, and the one that parallax listens on.
const PORTS: [u16; 2] = [8090, 8190];

const DIALECTS: [(&str, Dialect); 2] = [("classic", Dialect::Classic), ("vsr", Dialect::Vsr)];

pub(super) fn tables() -> String {
    let mut lua = String::from("-- What follows is made from the tables of the decoder.\n\n");
    lua += &constants();
    lua += "\nlocal tables = {}\n";
    let operations = (0..=u8::MAX).map(Operation);
    let known = operations.filter(|operation| operation.name() != "unknown");
    let mut add = |name: &str, value: &str| {
        let _ = writeln!(lua, "tables.{name} = {value}");
    };
    add("commands", &commands());
    add("errors", &errors());
    add("operations", &block(known.map(operation)));
    add("evictions", &evictions());
    add("directions", &directions());
    add("empty", &empty());
    let mut shapes = Shapes::default();
    add("headers", &headers(&mut shapes));
    for (name, of) in [
        ("sent", shape::sent_messages as fn(Dialect) -> _),
        ("polled", shape::polled_messages as fn(Dialect) -> _),
    ] {
        add(name, &messages(&mut shapes, of));
    }
    add("requests", &bodies(&mut shapes, "", shape::request));
    add("replies", &bodies(&mut shapes, ".reply", shape::reply));
    let unknown = alternatives(&mut shapes, "iggy.unknown", shape::request(Dialect::Vsr, 0));
    add("unknown", &unknown);
    lua
}

fn constants() -> String {
    let ports = PORTS.map(|port| format!("[{port}] = true, ")).concat();
    format!(
        "local LIMITS = {{ frame = {MAX_FRAME_BODY}, fields = {DISSECTED_FIELDS}, \
         shown = {SHOWN_FIELDS}, open = {DISSECTED_OPEN_REQUESTS}, \
         tries = {DISSECTOR_TRIES} }}\n\
         local PORTS = {{ {ports}}}\n\
         local CODE = {{ ping = {}, login_register = {}, login_register_with_pat = {} }}\n\
         local COMMAND = {{ ping_client = {}, pong_client = {}, request = {}, reply = {}, \
         eviction = {} }}\n\
         local OPERATION = {{ register = {}, non_replicated = {} }}\n\
         local FIRST_WITH_STATUS_AT_216 = {}\n\
         local STRING_KIND = {}\n\
         header_kinds = {}\n",
        code::PING,
        code::LOGIN_REGISTER,
        code::LOGIN_REGISTER_WITH_PAT,
        vsr::Command::PING_CLIENT.0,
        vsr::Command::PONG_CLIENT.0,
        vsr::Command::REQUEST.0,
        vsr::Command::REPLY.0,
        vsr::Command::EVICTION.0,
        Operation::REGISTER.0,
        Operation::NON_REPLICATED.0,
        vsr::StatusLayout::FIRST_AT_216.0,
        HeaderKind::STRING.0,
        kinds(|number| HeaderKind(number).name()),
    )
}

/// Entries, one a line.
fn block(entries: impl Iterator<Item = String>) -> String {
    let mut lua = String::from("{\n");
    for entry in entries {
        let _ = writeln!(lua, "  {entry},");
    }
    lua + "}"
}

fn commands() -> String {
    block(COMMANDS.iter().map(|command| {
        let name = command.name;
        format!("[{}] = {{ name = {name:?} }}", command.code)
    }))
}

fn errors() -> String {
    let named = |code: ErrorCode| Some(format!("[{}] = {:?}", code.0, code.name()?));
    block(ErrorCode::all().filter_map(named))
}

fn operation(operation: Operation) -> String {
    let code = operation.code();
    let code = code.map_or_else(|| "nil".to_owned(), |code| code.to_string());
    let (number, framed) = (operation.0, operation.is_result_framed());
    let name = operation.name();
    format!("[{number}] = {{ name = {name:?}, code = {code}, framed = {framed} }}")
}

fn evictions() -> String {
    let reasons = (0..=u8::MAX).map(EvictionReason);
    let known = reasons.filter(|reason| reason.name() != "unknown");
    table(known.map(|reason| (reason.0, reason.meaning())))
}

fn directions() -> String {
    let commands = (0..=u8::MAX).map(vsr::Command);
    let directed = commands.filter_map(|command| {
        let direction = match command.direction()? {
            Direction::ToServer => "request",
            Direction::ToClient => "reply",
        };
        Some((command.0, direction))
    });
    table(directed)
}

fn empty() -> String {
    let codes = COMMANDS.iter().map(|command| command.code);
    block(codes.filter_map(|code| Some(format!("[{code}] = {:?}", empty_reply_meaning(code)?))))
}

fn headers(shapes: &mut Shapes) -> String {
    let all = [
        ("request", shape::REQUEST_HEADER),
        (
            "request_with_namespace",
            shape::REQUEST_HEADER_WITH_NAMESPACE,
        ),
        ("reply", shape::REPLY_HEADER),
        ("status", shape::STATUS),
        ("status_behind_namespace", shape::STATUS_BEHIND_NAMESPACE),
        ("namespace", shape::NAMESPACE),
        ("status_or_namespace", shape::STATUS_OR_NAMESPACE),
        ("eviction", shape::EVICTION_HEADER),
        ("other", shape::OTHER_HEADER),
    ];
    let headers = all.map(|(name, parts)| format!("{name} = {}", shapes.parts("iggy.vsr", parts)));
    let section = shapes.parts("iggy.result", shape::RESULT_SECTION);
    let section = format!("result_section = {section}");
    block(headers.into_iter().chain([section]))
}

fn messages(shapes: &mut Shapes, of: fn(Dialect) -> &'static [(HeaderLayout, Parts)]) -> String {
    block(DIALECTS.into_iter().map(|(dialect, of_dialect)| {
        let layouts = of(of_dialect).iter().map(|(layout, parts)| {
            let name = message_layout_name(*layout);
            format!(
                "{{ name = {name:?}, parts = {} }}",
                shapes.parts("iggy", parts)
            )
        });
        format!("{dialect} = {}", block(layouts))
    }))
}

fn bodies(shapes: &mut Shapes, suffix: &str, of: fn(Dialect, u32) -> &'static [Parts]) -> String {
    block(DIALECTS.into_iter().map(|(dialect, of_dialect)| {
        let commands = COMMANDS.iter().map(|command| {
            let prefix = format!("iggy.{}{suffix}", command.name);
            let layouts = alternatives(shapes, &prefix, of(of_dialect, command.code));
            format!("[{}] = {layouts}", command.code)
        });
        format!("{dialect} = {}", block(commands))
    }))
}

fn alternatives(shapes: &mut Shapes, prefix: &str, layouts: &[Parts]) -> String {
    let layouts: Vec<_> = layouts
        .iter()
        .map(|parts| shapes.parts(prefix, parts))
        .collect();
    format!("{{ {} }}", layouts.join(", "))
}
