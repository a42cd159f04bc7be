//! Two trees, and where they differ.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::rules::Rules;
use super::view;
use crate::connection::Dialect;
use crate::exchange::Exchange;
use crate::limits::DIFFERING_FIELDS;

/// A field that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldDifference {
    /// Where it stands: `response.messages[3].offset`.
    pub path: String,
    /// What the first side has; `None` where it has no such field.
    pub a: Option<Value>,
    /// What the second has.
    pub b: Option<Value>,
}

/// What of two exchanges is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Request and reply.
    Whole,
    /// The reply alone: the requests are the same.
    Reply,
}

/// Compares exchanges, and counts what it finds.
#[derive(Debug)]
pub struct Comparer<'a> {
    rules: &'a Rules,
    scope: Scope,
    /// Differences that each rule has hidden.
    hidden: Vec<u64>,
    fields: BTreeMap<(String, String), u64>,
    further: u64,
}

impl<'a> Comparer<'a> {
    /// One that has compared nothing yet.
    pub fn new(rules: &'a Rules, scope: Scope) -> Self {
        Self {
            rules,
            scope,
            hidden: vec![0; rules.len()],
            fields: BTreeMap::new(),
            further: 0,
        }
    }

    /// Where two exchanges differ, what the rules ignore left out, by path. Where parallax
    /// hid what a server did in one of them, by a fault that it injected, that alone is told.
    pub fn compare(&mut self, a: &Exchange, b: &Exchange) -> Vec<FieldDifference> {
        let with_header = a.dialect == Dialect::Vsr && b.dialect == Dialect::Vsr;
        let whole = self.scope == Scope::Whole;
        let is_hidden = a.hides_the_server() || b.hides_the_server();
        let [a_tree, b_tree] = [a, b].map(|exchange| {
            if is_hidden {
                return json!({ "injected": exchange.injected() });
            }
            let mut tree = json!({
                "status": exchange.status(),
                "response": view::response(exchange),
                "undecoded": exchange.undecoded.as_ref().map(|undecoded| &undecoded.why),
            });
            if with_header {
                tree["response_header"] = view::response_header(exchange);
            }
            if whole {
                tree["request"] = view::request(exchange);
            }
            if whole && with_header {
                tree["request_header"] = view::request_header(exchange);
            }
            tree
        });
        let commands = [a.command(), b.command()];
        let mut found = Vec::new();
        walk("", Some(&a_tree), Some(&b_tree), &mut found);
        let rules = self.rules.of(&commands);
        found.retain(|one| match rules.ignoring(&one.path) {
            Some(rule) => {
                self.hidden[rule] += 1;
                false
            }
            None => true,
        });
        for one in &found {
            self.count(&commands[0], &one.path);
        }
        found
    }

    /// How often each field differed, by command and path; `[*]` stands for any
    /// place in a list. The sum is that of all differences.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        let counted = self.fields.iter();
        let counted = counted.map(|((command, path), count)| (&**command, &**path, *count));
        let further = (self.further > 0).then_some(("*", "further fields", self.further));
        counted.chain(further)
    }

    /// Differences that rules have hidden.
    pub fn hidden(&self) -> u64 {
        self.hidden.iter().sum()
    }

    /// The rules of a file that have hidden nothing.
    pub fn unused_rules(&self) -> impl Iterator<Item = &'a super::Rule> {
        let used = self.hidden.clone();
        let rules = self.rules.all().zip(used);
        let unused = rules.filter(|(rule, used)| *used == 0 && !rule.is_built_in());
        unused.map(|(rule, _)| rule)
    }

    fn count(&mut self, command: &str, path: &str) {
        let key = (command.to_owned(), anywhere(path));
        if self.fields.len() >= DIFFERING_FIELDS && !self.fields.contains_key(&key) {
            self.further += 1;
        } else {
            *self.fields.entry(key).or_default() += 1;
        }
    }
}

/// The path with `[*]` for each place in a list.
fn anywhere(path: &str) -> String {
    let mut pieces = path.split('[');
    let mut general = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        general.push_str("[*]");
        general.push_str(piece.split_once(']').map_or("", |(_, rest)| rest));
    }
    general
}

fn walk(path: &str, a: Option<&Value>, b: Option<&Value>, found: &mut Vec<FieldDifference>) {
    match (a, b) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            for name in names(a, b) {
                let path = match path {
                    "" => name.to_owned(),
                    path => format!("{path}.{name}"),
                };
                walk(&path, a.get(name), b.get(name), found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for index in 0..a.len().max(b.len()) {
                walk(
                    &format!("{path}[{index}]"),
                    a.get(index),
                    b.get(index),
                    found,
                );
            }
        }
        (a, b) if a == b => {}
        (a, b) => found.push(FieldDifference {
            path: path.to_owned(),
            a: a.cloned(),
            b: b.cloned(),
        }),
    }
}

fn names<'a>(a: &'a Map<String, Value>, b: &'a Map<String, Value>) -> BTreeSet<&'a str> {
    a.keys().chain(b.keys()).map(String::as_str).collect()
}
