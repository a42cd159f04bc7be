//! Shapes as Lua.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use parallax_codec::shape::{Case, Content, Part, Parts, Times, Truth, Width};

/// Writes shapes, and sees to it that a name of a filter stands for one type of field.
#[derive(Default)]
pub(super) struct Shapes {
    types: BTreeMap<String, String>,
}

impl Shapes {
    /// A list of parts, whose fields' names for filters begin with `prefix`.
    pub(super) fn parts(&mut self, prefix: &str, parts: Parts) -> String {
        let mut lua = String::from("{ ");
        for part in parts {
            let _ = write!(lua, "{}, ", self.part(prefix, part));
        }
        lua + "}"
    }

    #[expect(clippy::too_many_lines, reason = "a line or two for each part")]
    fn part(&mut self, prefix: &str, part: &Part) -> String {
        match *part {
            Part::Number { name, width } => self.number(prefix, name, width),
            Part::Float { name } => format!("part.float({})", self.named(prefix, name, "float")),
            Part::Meaning { name, numbers, of } => {
                let known = numbers.iter().filter_map(|n| Some((*n, of(*n)?)));
                let named = self.named(prefix, name, "u32");
                format!("part.meaning({named}, {})", table(known))
            }
            Part::Flag { name, truth } => {
                let one = truth == Truth::One;
                format!("part.flag({}, {one})", self.named(prefix, name, "flag"))
            }
            Part::Kind { name, of, closed } => {
                let named = self.named(prefix, name, "kind");
                format!("part.kind({named}, {}, {closed})", kinds(of))
            }
            Part::Exact { name, width, value } => {
                let (named, bytes) = (self.named(prefix, name, of(width)), width.bytes());
                format!("part.exact({named}, {bytes}, {value})")
            }
            Part::AtMost { name, most } => {
                format!("part.at_most({}, {most})", self.named(prefix, name, "u32"))
            }
            Part::Fixed { name, length, zero } => {
                let named = self.named(prefix, name, "bytes");
                format!("part.fixed({named}, {length}, {zero})")
            }
            Part::Sized {
                length,
                width,
                name,
                content,
                at_least,
            } => {
                let length = self.named(prefix, length, of(width));
                let content = self.content(prefix, name, content);
                let bytes = width.bytes();
                format!("part.sized({length}, {bytes}, {content}, {at_least})")
            }
            Part::Rest { name, content } => {
                format!("part.rest({})", self.content(prefix, name, content))
            }
            Part::Group { name, parts } => self.group(prefix, name, parts, ""),
            Part::SizedGroup {
                length,
                name,
                parts,
            } => {
                let length = self.named(prefix, length, "u32");
                let group = self.group(prefix, name, parts, "");
                format!("part.sized_group({length}, {group})")
            }
            Part::List {
                name,
                times,
                element,
            } => self.list(prefix, name, times, element),
            Part::Chain {
                follow,
                list,
                element,
                parts,
            } => {
                let follow = self.flag(prefix, follow);
                let list = self.named(prefix, list, "none");
                let another = self.flag(&below(prefix, element), "another_follows");
                let group = self.group(prefix, element, parts, &another);
                format!("part.chain({follow}, part.list({list}, nil, {{}}), {group})")
            }
            Part::Union { kind, cases } => self.union(prefix, kind, cases),
            Part::IfFlag { flag, parts } => {
                format!("part.if_flag({flag:?}, {})", self.parts(prefix, parts))
            }
            Part::IfMore {
                parts,
                required_from,
            } => {
                let parts = self.parts(prefix, parts);
                match required_from {
                    Some((name, least)) => format!("part.if_more({parts}, {name:?}, {least})"),
                    None => format!("part.if_more({parts})"),
                }
            }
            Part::IfZero { zero, other } => {
                let zero = self.parts(prefix, zero);
                format!("part.if_zero({zero}, {})", self.parts(prefix, other))
            }
            Part::Partition { after } => {
                let truth = Truth::One;
                let name = "partition_given";
                let flag = self.part(prefix, &Part::Flag { name, truth });
                let id = self.number(prefix, "partition_id", Width::U32);
                format!("part.partition({flag}, {id}, {after})")
            }
            Part::HeaderField { name } => {
                format!("part.header_field({})", self.named(prefix, name, "text"))
            }
            Part::Options { length, name } => {
                let list = self.named(prefix, name, "none");
                let length = length.map(|length| self.number(prefix, length, Width::U32));
                format!(
                    "part.options({list}, {})",
                    length.as_deref().unwrap_or("nil")
                )
            }
            Part::Messages { sent } => format!("part.messages({sent})"),
            Part::Frames { name, element } => {
                let list = self.named(prefix, name, "none");
                // A frame is a message, whichever record it is in.
                format!("part.frames({list}, {})", self.parts("iggy", element))
            }
            Part::MessageContent => "part.message_content()".to_owned(),
        }
    }

    fn number(&mut self, prefix: &str, name: &str, width: Width) -> String {
        let named = self.named(prefix, name, of(width));
        format!("part.number({named}, {})", width.bytes())
    }

    fn flag(&mut self, prefix: &str, name: &str) -> String {
        format!("part.flag({}, false)", self.named(prefix, name, "flag"))
    }

    fn content(&mut self, prefix: &str, name: &str, content: Content) -> String {
        let (ty, what) = match content {
            Content::Text => ("text", "text"),
            Content::Secret => ("text", "secret"),
            Content::SecretBytes => ("bytes", "secret_bytes"),
            Content::Bytes => ("bytes", "bytes"),
        };
        format!("{}, {what:?}", self.named(prefix, name, ty))
    }

    /// A group; one that has a value, such as a name, stands for it. `last` is what its
    /// parts end with.
    fn group(&mut self, prefix: &str, name: &str, parts: Parts, last: &str) -> String {
        let valued = matches!(parts, [Part::Union { cases, .. }] if cases.iter().any(has_value));
        let (make, ty) = if valued {
            ("valued", "text")
        } else {
            ("group", "none")
        };
        let named = self.named(prefix, name, ty);
        let inner = self.parts(&below(prefix, name), parts);
        let inner = inner.trim_end_matches('}');
        format!("part.{make}({named}, {inner}{last} }})")
    }

    fn list(&mut self, prefix: &str, name: &str, times: Times, element: Parts) -> String {
        let named = self.named(prefix, name, "none");
        let count = match times {
            Times::ToEnd => "nil".to_owned(),
            Times::Count(name) => format!("{name:?}"),
        };
        // The elements are called by their own name; those of the index have none.
        let element = match name {
            "index" => self.parts(&format!("{prefix}.index"), element),
            _ => self.parts(prefix, element),
        };
        format!("part.list({named}, {count}, {element})")
    }

    fn union(&mut self, prefix: &str, kind: &str, cases: &[Case]) -> String {
        let names = table(cases.iter().map(|case| (case.number, case.meaning)));
        let kind = self.named(prefix, kind, "kind");
        let mut lua = format!("part.union(part.kind({kind}, {names}, true), {{ ");
        for case in cases {
            let parts = self.parts(prefix, case.parts);
            let _ = write!(lua, "[{}] = {parts}, ", case.number);
        }
        lua + "})"
    }

    /// A field's name, and its name in filters.
    fn named(&mut self, prefix: &str, name: &str, ty: &str) -> String {
        let mut filter = format!("{prefix}.{name}");
        if self.types.get(&filter).is_some_and(|known| known != ty) {
            filter = format!("{filter}_{ty}");
        }
        self.types.insert(filter.clone(), ty.to_owned());
        format!("{name:?}, {filter:?}")
    }
}

/// The prefix of what is in a group. The name of a message's header says nothing.
fn below(prefix: &str, group: &str) -> String {
    match group {
        "header" | "entry" => prefix.to_owned(),
        group => format!("{prefix}.{group}"),
    }
}

fn has_value(case: &Case) -> bool {
    case.parts.iter().any(|part| {
        matches!(
            part,
            Part::Number { name: "value", .. } | Part::Sized { name: "value", .. }
        )
    })
}

const fn of(width: Width) -> &'static str {
    match width {
        Width::U8 => "u8",
        Width::U16 => "u16",
        Width::U32 => "u32",
        Width::U64 => "u64",
        Width::U128 => "u128",
    }
}

/// All kinds that have a name.
pub(super) fn kinds(of: fn(u8) -> &'static str) -> String {
    let all = (0..=u8::MAX).map(|number| (number, of(number)));
    table(all.filter(|(_, name)| *name != "unknown"))
}

/// Numbers and what they stand for.
pub(super) fn table<N: std::fmt::Display>(
    entries: impl Iterator<Item = (N, &'static str)>,
) -> String {
    let mut lua = String::from("{ ");
    for (number, name) in entries {
        let _ = write!(lua, "[{number}] = {name:?}, ");
    }
    lua + "}"
}
