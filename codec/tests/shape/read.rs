//! Bytes to fields, by a shape alone.

use parallax_codec::messages::{HeaderKind, HeaderLayout, parse_user_headers};
use parallax_codec::shape::{
    Content, Part, Parts, Times, Truth, Width, polled_messages, sent_messages,
};
use parallax_codec::{Dialect, Field, Value};

/// The fields of a body that the shape fills; `None` where it does not. `layout` is that
/// of its messages, where it has any.
pub(crate) fn read(
    dialect: Dialect,
    layout: Option<HeaderLayout>,
    shape: Parts,
    body: &[u8],
) -> Option<Vec<Field>> {
    let mut reader = Reader {
        dialect,
        layout,
        body,
        at: 0,
        end: body.len(),
        scopes: vec![Vec::new()],
    };
    reader.parts(shape)?;
    (reader.at == body.len()).then(|| reader.scopes.remove(0))
}

struct Reader<'a> {
    dialect: Dialect,
    layout: Option<HeaderLayout>,
    body: &'a [u8],
    at: usize,
    end: usize,
    /// The fields so far, of the innermost group last.
    scopes: Vec<Vec<Field>>,
}

impl Reader<'_> {
    fn parts(&mut self, parts: Parts) -> Option<()> {
        parts.iter().try_for_each(|part| self.part(part))
    }

    #[expect(clippy::too_many_lines, reason = "a line or two for each part")]
    fn part(&mut self, part: &Part) -> Option<()> {
        match *part {
            Part::Number { name, width } => self.number(name, width).map(|_| ()),
            Part::Float { name } => {
                let raw = self.take(4)?.try_into().ok()?;
                self.push(name, 4, Value::Float(f32::from_le_bytes(raw)))
            }
            Part::Meaning { name, numbers, of } => {
                let number = u32::from_le_bytes(self.take(4)?.try_into().ok()?);
                let value = match of(number).filter(|_| numbers.contains(&number)) {
                    Some(meaning) => kind(number.into(), meaning),
                    None => Value::Number(number.into()),
                };
                self.push(name, 4, value)
            }
            Part::Flag { name, truth } => {
                let byte = self.take(1)?[0];
                let value = match truth {
                    Truth::NotZero => byte != 0,
                    Truth::One => byte == 1,
                };
                self.push(name, 1, Value::Flag(value))
            }
            Part::Kind { name, of, closed } => {
                let number = self.take(1)?[0];
                if closed && of(number) == "unknown" {
                    return None;
                }
                self.push(name, 1, kind(number.into(), of(number)))
            }
            Part::Exact { name, width, value } => {
                (self.number(name, width)? == u128::from(value)).then_some(())
            }
            Part::AtMost { name, most } => {
                (self.number(name, Width::U32)? <= most.into()).then_some(())
            }
            Part::Fixed { name, length, zero } => {
                let bytes = self.take(length)?;
                if zero && bytes.iter().any(|byte| *byte != 0) {
                    return None;
                }
                self.push(name, length, Value::Bytes(length))
            }
            Part::Sized {
                length,
                width,
                name,
                content,
                at_least,
            } => {
                let size = self.number(length, width)?;
                if size < at_least.into() {
                    return None;
                }
                self.content(name, content, size.try_into().ok()?)
            }
            Part::Rest { name, content } => match self.end - self.at {
                0 => Some(()),
                left => self.content(name, content, left),
            },
            Part::Group { name, parts } => self.group(name, |r| r.parts(parts)),
            Part::SizedGroup {
                length,
                name,
                parts,
            } => {
                let size = self.number(length, Width::U32)?;
                self.within(size, |r| r.group(name, |r| r.parts(parts)))
            }
            Part::List {
                name,
                times,
                element,
            } => {
                let count = match times {
                    Times::ToEnd => None,
                    Times::Count(field) => Some(self.find(field)?),
                };
                self.list(name, |r| r.elements(count, |r| r.parts(element)))
            }
            Part::Chain {
                follow,
                list,
                element,
                parts,
            } => {
                let mut more = self.flag(follow)?;
                self.list(list, |r| {
                    while more {
                        r.group(element, |r| {
                            r.parts(parts)?;
                            more = r.flag("another_follows")?;
                            Some(())
                        })?;
                    }
                    Some(())
                })
            }
            Part::Union { kind: name, cases } => {
                let number = self.take(1)?[0];
                let case = cases.iter().find(|case| case.number == number)?;
                self.push(name, 1, kind(number.into(), case.meaning))?;
                self.parts(case.parts)
            }
            Part::IfFlag { flag, parts } => match self.find(flag)? {
                0 => Some(()),
                _ => self.parts(parts),
            },
            Part::IfMore {
                parts,
                required_from,
            } => {
                let required = required_from
                    .is_some_and(|(name, least)| self.find(name).unwrap() >= least.into());
                if self.at == self.end && !required {
                    return Some(());
                }
                self.parts(parts)
            }
            Part::IfZero { zero, other } => match self.body.get(self.at)? {
                0 => self.parts(zero),
                _ => self.parts(other),
            },
            Part::Partition { after } => {
                if self.end - self.at != 4 + after {
                    let flag = self.take(1)?[0] == 1;
                    self.push("partition_given", 1, Value::Flag(flag))?;
                }
                self.number("partition_id", Width::U32).map(|_| ())
            }
            Part::HeaderField { name } => self.header_field(name),
            Part::Options { length, name } => {
                let size = match length {
                    Some(length) => self.number(length, Width::U32)?,
                    None => (self.end - self.at) as u128,
                };
                self.options(name, size)
            }
            Part::Messages { sent } => {
                let layouts = if sent {
                    sent_messages(self.dialect)
                } else {
                    polled_messages(self.dialect)
                };
                // Without a message nothing tells the layout, and nothing depends on it.
                let wanted = self.layout.unwrap_or(HeaderLayout::Headers64);
                let (_, parts) = layouts.iter().find(|(layout, _)| *layout == wanted)?;
                self.parts(parts)
            }
            Part::Frames { name, element } => {
                let count = self.find("message_count")?;
                let size = self.find("batch_length")?.checked_sub(256)?;
                if count == 0 || size == 0 {
                    return None;
                }
                self.within(size, |r| {
                    r.list(name, |r| r.elements(Some(count), |r| r.parts(element)))
                })
            }
            Part::MessageContent => self.message_content(),
        }
    }

    fn message_content(&mut self) -> Option<()> {
        let payload = self.find("payload_length")?.try_into().ok()?;
        let headers = self.find("user_headers_length")?;
        self.content("payload", Content::Bytes, payload)?;
        let size = usize::try_from(headers).ok()?;
        let raw = self.body[self.at..self.end].get(..size)?;
        if size == 0 || parse_user_headers(raw).is_err() {
            return self.content("user_headers", Content::Bytes, size);
        }
        self.within(headers, |r| {
            r.list("user_headers", |r| r.elements(None, Self::user_header))
        })
    }

    fn user_header(&mut self) -> Option<()> {
        self.group("user_header", |r| {
            r.header_field("key")?;
            r.header_field("value")
        })
    }

    fn header_field(&mut self, name: &'static str) -> Option<()> {
        self.group(name, |r| {
            let number = r.take(1)?[0];
            if number == 0 {
                return None;
            }
            r.push("kind", 1, kind(number.into(), HeaderKind(number).name()))?;
            let length = usize::try_from(r.number("length", Width::U32)?).ok()?;
            if !(1..=255).contains(&length) {
                return None;
            }
            let raw = r.body[r.at..r.end].get(..length)?;
            let plain = |width| Some(((width as Width).bytes() == length).then_some(width));
            let width = match HeaderKind(number).name() {
                "string" if std::str::from_utf8(raw).is_ok() => {
                    return r.content("value", Content::Text, length);
                }
                "bool" if length == 1 && raw[0] < 2 => {
                    let value = Value::Flag(raw[0] == 1);
                    r.take(1)?;
                    return r.push("value", 1, value);
                }
                "uint8" => plain(Width::U8)?,
                "uint16" => plain(Width::U16)?,
                "uint32" => plain(Width::U32)?,
                "uint64" => plain(Width::U64)?,
                "uint128" => plain(Width::U128)?,
                _ => None,
            };
            match width {
                Some(width) => r.number("value", width).map(|_| ()),
                None => r.content("value", Content::Bytes, length),
            }
        })
    }

    fn options(&mut self, name: &'static str, size: u128) -> Option<()> {
        let start = self.at;
        self.within(size, |r| {
            r.list(name, |r| r.elements(None, Self::user_header))
        })?;
        let options = parse_user_headers(&self.body[start..self.at]).unwrap();
        let mut keys: Vec<_> = options.iter().map(|option| &option.key.bytes).collect();
        keys.sort_unstable();
        keys.dedup();
        let named = options.iter().all(|option| {
            option.key.kind == HeaderKind::STRING && std::str::from_utf8(&option.key.bytes).is_ok()
        });
        (named && keys.len() == options.len() && keys.len() <= 1024 && size <= 100_000)
            .then_some(())
    }

    /// As many elements as are counted, or to the end.
    fn elements(
        &mut self,
        count: Option<u128>,
        mut element: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let mut done = 0;
        while count.map_or(self.at < self.end, |count| done < count) {
            let before = self.at;
            element(self)?;
            assert!(self.at > before, "an element without a byte");
            done += 1;
        }
        Some(())
    }

    /// What fills the next `size` bytes.
    fn within(&mut self, size: u128, inner: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let end = self.at.checked_add(size.try_into().ok()?)?;
        if end > self.end {
            return None;
        }
        let outer = std::mem::replace(&mut self.end, end);
        inner(self)?;
        self.end = outer;
        (self.at == end).then_some(())
    }

    fn content(&mut self, name: &'static str, content: Content, length: usize) -> Option<()> {
        let raw = self.take(length)?;
        let value = match content {
            Content::Text => Value::Text(String::from_utf8(raw.to_vec()).ok()?),
            Content::Secret => {
                std::str::from_utf8(raw).ok()?;
                Value::Secret(length)
            }
            Content::SecretBytes => Value::Secret(length),
            Content::Bytes => Value::Bytes(length),
        };
        self.push(name, length, value)
    }

    fn number(&mut self, name: &'static str, width: Width) -> Option<u128> {
        let raw = self.take(width.bytes())?;
        let number = raw
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u128::from(*byte));
        let value = match width {
            Width::U128 => Value::Wide(number),
            _ => Value::Number(u64::try_from(number).unwrap()),
        };
        self.push(name, width.bytes(), value)?;
        Some(number)
    }

    fn flag(&mut self, name: &'static str) -> Option<bool> {
        let value = self.take(1)?[0] != 0;
        self.push(name, 1, Value::Flag(value))?;
        Some(value)
    }

    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let raw = self.body[self.at..self.end].get(..length)?;
        self.at += length;
        Some(raw)
    }

    /// A field whose bytes were taken.
    fn push(&mut self, name: &'static str, length: usize, value: Value) -> Option<()> {
        let range = self.at - length..self.at;
        self.scopes.last_mut()?.push(Field { name, range, value });
        Some(())
    }

    fn group(
        &mut self,
        name: &'static str,
        inner: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.nested(name, Value::Group, inner)
    }

    fn list(
        &mut self,
        name: &'static str,
        inner: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.nested(name, Value::List, inner)
    }

    fn nested(
        &mut self,
        name: &'static str,
        wrap: fn(Vec<Field>) -> Value,
        inner: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let start = self.at;
        self.scopes.push(Vec::new());
        inner(self)?;
        let value = wrap(self.scopes.pop()?);
        let range = start..self.at;
        self.scopes.last_mut()?.push(Field { name, range, value });
        Some(())
    }

    fn find(&self, name: &str) -> Option<u128> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|fields| find(fields, name))
    }
}

fn find(fields: &[Field], name: &str) -> Option<u128> {
    fields.iter().rev().find_map(|field| match &field.value {
        Value::Number(number) if field.name == name => Some((*number).into()),
        Value::Flag(value) if field.name == name => Some((*value).into()),
        Value::Group(inner) => find(inner, name),
        _ => None,
    })
}

const fn kind(number: u64, meaning: &'static str) -> Value {
    Value::Kind { number, meaning }
}
