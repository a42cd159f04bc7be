//! A shape to bytes that have it.

use parallax_codec::Dialect;
use parallax_codec::messages::HeaderLayout;
use parallax_codec::shape::{Part, Parts, Times, Truth, Width, polled_messages, sent_messages};

use super::entropy::Entropy;

/// Bytes that have the shape, made up.
pub(crate) fn write(dialect: Dialect, shape: Parts, entropy: &mut Entropy<'_>) -> Vec<u8> {
    let mut writer = Writer {
        dialect,
        entropy,
        bytes: Vec::new(),
        named: Vec::new(),
        offset: 0,
    };
    writer.parts(shape);
    writer.bytes
}

struct Writer<'a, 'e> {
    dialect: Dialect,
    entropy: &'a mut Entropy<'e>,
    bytes: Vec<u8>,
    /// Where numbers stand, the last at the end, and their bytes.
    named: Vec<(&'static str, usize, usize)>,
    /// The offset of the next message.
    offset: u64,
}

impl Writer<'_, '_> {
    fn parts(&mut self, parts: Parts) {
        for part in parts {
            self.part(part);
        }
    }

    #[expect(clippy::too_many_lines, reason = "a line or two for each part")]
    fn part(&mut self, part: &Part) {
        match *part {
            Part::Number {
                name: "offset",
                width,
            } => {
                self.offset += 1;
                self.number("offset", width, self.offset);
            }
            Part::Number { name, width } => {
                let last = self.named.last().map(|(last, ..)| *last);
                // A partition that is not given is 0 in what an encoder writes.
                let given = last != Some("partition_given") || self.get("partition_given") == 1;
                let value = u64::from(self.entropy.byte()) * u64::from(given);
                self.number(name, width, value);
            }
            Part::AtMost { name, .. } => {
                let value = self.entropy.byte().into();
                self.number(name, Width::U32, value);
            }
            Part::Float { name } => {
                let value = f32::from(self.entropy.byte()) / 4.0;
                self.number(name, Width::U32, value.to_bits().into());
            }
            Part::Meaning { name, numbers, .. } => {
                let value = match (self.entropy.yes(), numbers) {
                    (true, [first, ..]) => *first,
                    _ => self.entropy.byte().into(),
                };
                self.number(name, Width::U32, value.into());
            }
            Part::Flag { name, truth } => {
                // A flag of 2 is another thing to each.
                let values = if truth == Truth::One { 2 } else { 3 };
                let value = self.entropy.below(values).into();
                self.number(name, Width::U8, value);
            }
            Part::Kind { name, of, closed } => {
                let mut value = self.entropy.byte() % 8;
                while closed && of(value) == "unknown" {
                    value = (value + 1) % 8;
                }
                self.number(name, Width::U8, value.into());
            }
            Part::Exact { name, width, value } => self.number(name, width, value),
            Part::Fixed { length, zero, .. } => {
                let byte = if zero { 0 } else { self.entropy.byte() };
                self.bytes.extend(vec![byte; length]);
            }
            Part::Sized {
                length,
                width,
                at_least,
                ..
            } => {
                let text = self.entropy.text(at_least);
                self.number(length, width, text.len() as u64);
                self.bytes.extend(text);
            }
            Part::Rest { .. } => {
                let text = self.entropy.text(0);
                self.bytes.extend(text);
            }
            Part::Group { parts, .. } => self.parts(parts),
            Part::SizedGroup { length, parts, .. } => {
                self.number(length, Width::U32, 0);
                let start = self.bytes.len();
                self.parts(parts);
                self.set(length, self.bytes.len() - start);
            }
            Part::List { times, element, .. } => {
                let count = match (times, element) {
                    // Kept where it is: the index has as many entries as messages follow.
                    (Times::Count("count"), _) => self.get("count"),
                    _ => self.entropy.below(4).into(),
                };
                if let Times::Count(name) = times {
                    self.set(name, count);
                }
                for _ in 0..count {
                    self.parts(element);
                }
            }
            Part::Chain { follow, parts, .. } => {
                let count = self.entropy.below(3);
                self.number(follow, Width::U8, (count > 0).into());
                for left in (0..count).rev() {
                    self.parts(parts);
                    self.number("another_follows", Width::U8, (left > 0).into());
                }
            }
            Part::Union { kind, cases } => {
                let index = usize::from(self.entropy.byte()) % cases.len();
                let case = &cases[index];
                self.number(kind, Width::U8, case.number.into());
                self.parts(case.parts);
            }
            Part::IfFlag { flag, parts } => {
                if self.get(flag) == 1 {
                    self.parts(parts);
                }
            }
            Part::IfMore {
                parts,
                required_from,
            } => {
                if self.entropy.yes() {
                    self.parts(parts);
                } else if let Some((name, _)) = required_from {
                    self.set(name, 0);
                }
            }
            Part::IfZero { zero, other } => {
                if self.entropy.yes() {
                    let start = self.bytes.len();
                    self.parts(zero);
                    self.bytes[start..].fill(0);
                } else {
                    let start = self.bytes.len();
                    self.parts(other);
                    self.bytes[start] = 1;
                }
            }
            Part::Partition { .. } => {
                let given = self.entropy.below(2);
                if self.entropy.yes() {
                    self.number("partition_given", Width::U8, given.into());
                }
                self.number("partition_id", Width::U32, given.into());
            }
            Part::HeaderField { .. } => self.header_field(None),
            Part::Options { length, .. } => {
                if let Some(length) = length {
                    self.number(length, Width::U32, 0);
                }
                let start = self.bytes.len();
                for index in 0..self.entropy.below(3) {
                    self.header_field(Some(b'a' + index));
                    self.header_field(None);
                }
                if let Some(length) = length {
                    self.set(length, self.bytes.len() - start);
                }
            }
            Part::Messages { sent } => self.messages(sent),
            Part::Frames { element, .. } => {
                let count = 1 + self.entropy.below(3);
                self.set("message_count", count);
                let start = self.bytes.len();
                for _ in 0..count {
                    self.parts(element);
                }
                // What the frames took is not to be overwritten by their own fields.
                self.set("batch_length", 256 + self.bytes.len() - start);
            }
            Part::MessageContent => {
                let payload = self.entropy.text(0);
                self.set("payload_length", payload.len());
                self.bytes.extend(payload);
                let start = self.bytes.len();
                for _ in 0..self.entropy.below(3) {
                    self.header_field(None);
                    self.header_field(None);
                }
                // Such as a client that encrypts makes.
                if self.entropy.below(8) == 0 {
                    self.bytes.extend([0, 1, 2]);
                }
                self.set("user_headers_length", self.bytes.len() - start);
            }
        }
    }

    fn messages(&mut self, sent: bool) {
        let layouts = if sent {
            sent_messages(self.dialect)
        } else {
            polled_messages(self.dialect)
        };
        let index = usize::from(self.entropy.byte()) % layouts.len();
        let (layout, parts) = layouts[index];
        if sent {
            self.set("metadata_length", self.bytes.len() - 4);
        }
        if layout != HeaderLayout::Batches {
            let count = self.entropy.below(4);
            self.set("count", count);
            for part in parts {
                match part {
                    Part::List {
                        times: Times::ToEnd,
                        element,
                        ..
                    } => (0..count).for_each(|_| self.parts(element)),
                    part => self.part(part),
                }
            }
            return;
        }
        let [
            Part::List {
                element: [Part::Group { parts, .. }],
                ..
            },
        ] = parts
        else {
            panic!("a list of records");
        };
        let mut count = 0;
        for base in 0..self.entropy.below(3) {
            let start = self.bytes.len();
            self.parts(parts);
            // Each frame counts on from where its record begins.
            let base = u64::from(base) * 10;
            self.bytes[start + 8..start + 16].copy_from_slice(&base.to_le_bytes());
            count += usize::try_from(self.get("message_count")).unwrap();
            self.count_frames(start);
        }
        self.set("count", count);
    }

    fn count_frames(&mut self, start: usize) {
        let in_record = self.named.iter().filter(|(_, at, _)| *at >= start);
        let deltas: Vec<_> = in_record
            .filter(|(name, ..)| *name == "offset_delta")
            .map(|(_, at, _)| *at)
            .collect();
        for (delta, at) in (0_u32..).zip(deltas) {
            self.bytes[at..at + 4].copy_from_slice(&delta.to_le_bytes());
        }
    }

    fn header_field(&mut self, key: Option<u8>) {
        let (kind, value) = if let Some(letter) = key {
            (2, vec![letter])
        } else {
            let kind = 1 + self.entropy.below(17);
            let length = [1, 2, 4, 8, 16][usize::from(self.entropy.below(5))];
            let value = (0..length).map(|_| self.entropy.byte() / 2).collect();
            (kind, value)
        };
        self.bytes.push(kind);
        let length = u32::try_from(value.len()).unwrap();
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(value);
    }

    fn number(&mut self, name: &'static str, width: Width, value: u64) {
        self.named.push((name, self.bytes.len(), width.bytes()));
        let raw = u128::from(value).to_le_bytes();
        self.bytes.extend(&raw[..width.bytes()]);
    }

    fn place(&self, name: &str) -> (usize, usize) {
        let mut named = self.named.iter().rev();
        let (_, at, length) = named.find(|(known, ..)| *known == name).unwrap();
        (*at, *length)
    }

    fn get(&self, name: &str) -> u64 {
        let (at, length) = self.place(name);
        let raw = &self.bytes[at..at + length.min(8)];
        raw.iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    }

    fn set(&mut self, name: &str, value: impl TryInto<u64, Error: std::fmt::Debug>) {
        let (at, length) = self.place(name);
        let value: u64 = value.try_into().unwrap();
        self.bytes[at..at + length].copy_from_slice(&u128::from(value).to_le_bytes()[..length]);
    }
}
