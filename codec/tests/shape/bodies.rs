use std::collections::BTreeSet;

use bytes::Bytes;
use parallax_codec::messages::HeaderLayout;
use parallax_codec::shape::{self, Part, Parts};
use parallax_codec::{COMMANDS, Dialect, Direction, Encode as _, Field, Reply, Request, Value};
use proptest::prelude::*;
use proptest::sample::select;

use super::entropy::Entropy;
use super::read::read;
use super::write::write;

const DIALECTS: [Dialect; 2] = [Dialect::Classic, Dialect::Vsr];
const DIRECTIONS: [Direction; 2] = [Direction::ToServer, Direction::ToClient];

/// A body's command, dialect and direction.
#[derive(Debug, Clone, Copy)]
struct Of {
    code: u32,
    dialect: Dialect,
    direction: Direction,
}

impl Of {
    fn any() -> impl Strategy<Value = Self> {
        let codes: Vec<u32> = COMMANDS.iter().map(|command| command.code).collect();
        (select(codes), select(&DIALECTS), select(&DIRECTIONS)).prop_map(
            |(code, dialect, direction)| Self {
                code,
                dialect,
                direction,
            },
        )
    }

    fn every() -> impl Iterator<Item = Self> {
        let pairs = DIALECTS.map(|dialect| DIRECTIONS.map(|direction| (dialect, direction)));
        COMMANDS.iter().flat_map(move |command| {
            pairs
                .into_iter()
                .flatten()
                .map(|(dialect, direction)| Self {
                    code: command.code,
                    dialect,
                    direction,
                })
        })
    }

    fn shapes(self) -> &'static [Parts] {
        match self.direction {
            Direction::ToServer => shape::request(self.dialect, self.code),
            Direction::ToClient => shape::reply(self.dialect, self.code),
        }
    }

    fn has_messages(self) -> bool {
        let is_messages = |part: &Part| matches!(part, Part::Messages { .. });
        self.shapes()
            .iter()
            .any(|parts| parts.iter().any(is_messages))
    }

    /// The codec's fields and whether the body is as an encoder would write it; `None`
    /// where it refuses it.
    fn decode(self, body: &Bytes) -> Option<Decoded> {
        match self.direction {
            Direction::ToServer => {
                let request = Request::decode(self.dialect, self.code, body).ok()?;
                Some(Decoded {
                    layout: match &request {
                        Request::SendMessages(send) => send.layout.headers(),
                        _ => None,
                    },
                    canonical: request.encode() == body,
                    fields: request.fields(0),
                })
            }
            Direction::ToClient => {
                let (reply, fault) = Reply::decode(self.dialect, self.code, body).ok()?;
                fault.is_none().then(|| Decoded {
                    layout: match &reply {
                        Reply::PolledMessages(polled) => polled.layout.headers(),
                        _ => None,
                    },
                    canonical: reply.encode() == body,
                    fields: reply.fields(0),
                })
            }
        }
    }

    /// What the codec says of a body and what its shapes say are the same.
    fn check(self, body: &[u8]) -> bool {
        let body = Bytes::copy_from_slice(body);
        let decoded = self.decode(&body);
        if body.is_empty() && self.direction == Direction::ToClient {
            return decoded.is_some();
        }
        let layout = decoded.as_ref().and_then(|decoded| decoded.layout);
        let mut fitting: Vec<_> = self
            .shapes()
            .iter()
            .filter_map(|parts| read(self.dialect, layout, parts, &body))
            .collect();
        let Some(decoded) = decoded else {
            // Which messages fit is another question, and has tests of its own.
            assert!(
                fitting.len() != 1 || self.has_messages(),
                "{self:?} {body:?}"
            );
            return false;
        };
        assert_eq!(fitting.len(), 1, "{self:?} {body:?}");
        let ours = fitting.remove(0);
        if decoded.canonical {
            assert_eq!(ours, decoded.fields, "{self:?} {body:?}");
        } else {
            assert_eq!(
                outline(&ours),
                outline(&decoded.fields),
                "{self:?} {body:?}"
            );
        }
        true
    }
}

struct Decoded {
    layout: Option<HeaderLayout>,
    canonical: bool,
    fields: Vec<Field>,
}

/// Names and ranges, however deep.
fn outline(fields: &[Field]) -> Vec<(&'static str, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    for field in fields {
        found.push((field.name, field.range.clone()));
        if let Value::Group(inner) | Value::List(inner) = &field.value {
            found.extend(outline(inner));
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn a_body_has_the_fields_that_its_shape_says(
        of in Of::any(),
        chosen in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        for shape in of.shapes() {
            let body = write(of.dialect, shape, &mut Entropy(chosen.iter()));
            of.check(&body);
        }
    }

    #[test]
    fn a_damaged_body_is_refused_by_both_or_read_by_both(
        of in Of::any(),
        chosen in prop::collection::vec(any::<u8>(), 0..100),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8, any::<u8>()), 1..4),
    ) {
        for shape in of.shapes() {
            let mut body = write(of.dialect, shape, &mut Entropy(chosen.iter()));
            for (at, how, byte) in &damage {
                let at = at.index(body.len() + 1);
                match how {
                    0 => body.truncate(at),
                    1 => body.insert(at, *byte),
                    2 if at < body.len() => { body.remove(at); }
                    3 | 4 if at < body.len() => body[at] = byte % 4,
                    _ if at < body.len() => body[at] = *byte,
                    _ => {}
                }
            }
            of.check(&body);
        }
    }

    #[test]
    fn any_bytes_are_refused_by_both_or_read_by_both(
        of in Of::any(),
        body in prop::collection::vec(0..5_u8, 0..80),
    ) {
        of.check(&body);
    }
}

#[test]
fn every_layout_of_every_command_is_reached() {
    let mut unread = BTreeSet::new();
    for of in Of::every() {
        for (index, shape) in of.shapes().iter().enumerate() {
            let bodies = (0..64_u8).map(|seed| {
                let chosen: Vec<u8> = (0..200_u8).map(|n| n.wrapping_mul(seed)).collect();
                write(of.dialect, shape, &mut Entropy(chosen.iter()))
            });
            let read = bodies.filter(|body| of.check(body)).count();
            if read < 8 {
                unread.insert(format!("{of:?} {index} {read}"));
            }
        }
    }
    assert_eq!(unread, BTreeSet::new());
}
