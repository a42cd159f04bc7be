//! The one table of keys: the help is made from it, and the script listens by it.

use maud::{Markup, html};
use serde_json::json;

/// What a key does, and how the help says it.
pub(crate) struct Key {
    /// As a browser names them (`KeyboardEvent.key`).
    pub(crate) keys: &'static [&'static str],
    /// What the script is to do.
    pub(crate) act: &'static str,
    pub(crate) says: &'static str,
}

const fn key(keys: &'static [&'static str], act: &'static str, says: &'static str) -> Key {
    Key { keys, act, says }
}

/// The keys of the list.
pub(crate) static LIST: &[Key] = &[
    key(&["j", "ArrowDown"], "next", "next row"),
    key(&["k", "ArrowUp"], "previous", "previous row"),
    key(&["g", "Home"], "first", "first row of the list"),
    key(&["G", "End"], "last", "last row of the list"),
    key(&["n"], "next_problem", "next problem"),
    key(&["p"], "previous_problem", "previous problem"),
    key(&["Enter"], "open", "open the row"),
    key(&["="], "menu", "filter by the row's values, copy it"),
    key(&["m"], "mark", "mark the row, or unmark it"),
    key(&["c"], "comment", "comment on the row"),
    key(&["f", "/"], "filter", "write a filter"),
    key(
        &["F"],
        "follow",
        "follow what comes; if it does, hold still",
    ),
    key(&["w"], "save", "save what the list has"),
    key(
        &["Escape"],
        "release",
        "let go of the row, the field, the dialog",
    ),
    key(&["q"], "back", "back to the overview"),
    key(&["?"], "help", "these keys"),
];

/// The keys of one exchange.
pub(crate) static EXCHANGE: &[Key] = &[
    key(&["j"], "older", "the exchange below it in the list"),
    key(&["k"], "newer", "the exchange above it"),
    key(&["m"], "mark", "mark it, or unmark it"),
    key(&["c"], "comment", "comment on it"),
    key(&["q", "Escape"], "back", "back to the list"),
    key(&["?"], "help", "these keys"),
];

/// The help, with the table for the script in it. `place` is which keys there are.
pub(crate) fn keys_dialog(place: &str, keys: &[Key]) -> Markup {
    let table: Vec<_> = keys
        .iter()
        .map(|key| json!({ "keys": key.keys, "act": key.act }))
        .collect();
    html! {
        dialog id="keys" aria-labelledby="h-keys" data-place=(place)
            data-keys=(serde_json::Value::from(table)) {
            h2 id="h-keys" { "Keys" }
            table {
                thead { tr { th scope="col" { "Key" } th scope="col" { "Does" } } }
                tbody {
                    @for key in keys {
                        tr {
                            td {
                                @for (at, name) in key.keys.iter().enumerate() {
                                    @if at > 0 { " or " }
                                    kbd { (shown(name)) }
                                }
                            }
                            td { (key.says) }
                        }
                    }
                }
            }
            p {
                label { input id="keys-on" type="checkbox" checked; " Single-character keys are on" }
            }
            form method="dialog" { button { "Close" } }
        }
        button.keys type="button" id="show-keys" hidden { "Keys " kbd { "?" } }
    }
}

/// How a key is called.
fn shown(name: &str) -> &str {
    match name {
        "ArrowDown" => "\u{2193}",
        "ArrowUp" => "\u{2191}",
        "Escape" => "Esc",
        other => other,
    }
}
