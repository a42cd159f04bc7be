//! Which partition, and how it is called in addresses.

use std::fmt::Write as _;

use parallax_codec::primitives::Identifier;

use crate::text::push_percent_encoded;

/// A partition, by the names or numbers that a request uses.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Partition {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// The partition's number.
    pub id: u32,
}

impl Partition {
    /// Reads the three segments of an address, decoded.
    ///
    /// # Errors
    /// A sentence that says what a segment has to be.
    pub fn of_segments(stream: &str, topic: &str, id: &str) -> Result<Self, String> {
        Ok(Self {
            stream: of_segment(stream)?,
            topic: of_segment(topic)?,
            id: id
                .parse()
                .map_err(|_| format!("A partition has a number, and {id:?} is none."))?,
        })
    }

    /// The three segments, as they stand in an address: `otel/metrics/2`.
    pub fn path(&self) -> String {
        let topic = topic_path(&self.stream, &self.topic);
        format!("{topic}/{}", self.id)
    }
}

impl std::fmt::Display for Partition {
    /// `otel/metrics, partition 2`, for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}, partition {}", self.stream, self.topic, self.id)
    }
}

/// `otel/metrics`, as it stands in an address.
pub fn topic_path(stream: &Identifier, topic: &Identifier) -> String {
    let mut path = String::new();
    push_topic_path(&mut path, stream, topic);
    path
}

/// The same, at the end of what is there.
pub(super) fn push_topic_path(path: &mut String, stream: &Identifier, topic: &Identifier) {
    push_segment(path, stream);
    path.push('/');
    push_segment(path, topic);
}

/// A number as it is; a name likewise, in quotes where it would be read as a number
/// or as a name in quotes (case C3).
pub(super) fn push_segment(path: &mut String, identifier: &Identifier) {
    match identifier {
        Identifier::Numeric(number) => push_number(path, *number),
        Identifier::Named(name) if is_number(name) || name.starts_with('"') => {
            push_percent_encoded(path, &format!("\"{name}\""));
        }
        Identifier::Named(name) => push_percent_encoded(path, name),
    }
}

pub(super) fn push_number(path: &mut String, number: u32) {
    // Writing to a string cannot fail.
    let _ = write!(path, "{number}");
}

/// # Errors
/// A sentence: it is empty.
fn of_segment(text: &str) -> Result<Identifier, String> {
    let quoted = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match quoted {
        Some(name) if !name.is_empty() => Ok(Identifier::Named(name.to_owned())),
        _ if text.is_empty() => Err("A stream and a topic have a name or a number.".to_owned()),
        // A number too large for one is a name that somebody wrote without quotes.
        _ => {
            let number = text.parse().ok().filter(|_| is_number(text));
            let name = || Identifier::Named(text.to_owned());
            Ok(number.map_or_else(name, Identifier::Numeric))
        }
    }
}

/// Reads back what [`push_segment`] wrote.
pub(super) fn of_encoded_segment(encoded: &str) -> Option<Identifier> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    of_segment(&String::from_utf8(bytes).ok()?).ok()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn segment(identifier: &Identifier) -> String {
        let mut segment = String::new();
        push_segment(&mut segment, identifier);
        segment
    }

    #[test]
    fn the_name_7_and_the_number_7_have_two_addresses() {
        let number = Identifier::Numeric(7);
        let name = Identifier::Named("7".to_owned());
        assert_eq!(segment(&number), "7");
        assert_eq!(segment(&name), "%227%22");
        assert_eq!(of_segment("7"), Ok(number));
        assert_eq!(of_segment("\"7\""), Ok(name));
    }

    #[test]
    fn what_is_no_partition_is_refused_with_a_sentence() {
        for (stream, topic, id) in [
            ("", "metrics", "2"),
            ("otel", "", "2"),
            ("otel", "m", "x"),
            ("otel", "m", "99999999999"),
        ] {
            let refused = Partition::of_segments(stream, topic, id).unwrap_err();
            assert!(refused.ends_with('.'), "{refused}");
        }
    }

    proptest! {
        #[test]
        fn every_name_is_read_back_from_its_address(name in "\\PC{1,20}|\"[0-9\"]{1,4}\"?|[0-9]{1,4}|a/b%") {
            let name = Identifier::Named(name);
            prop_assert_eq!(of_encoded_segment(&segment(&name)), Some(name));
        }
    }
}
