//! Which body layouts a connection speaks: they changed over the versions, and
//! nothing on the wire names them but the bodies themselves.

use parallax_codec::messages::HeaderLayout;
use parallax_codec::primitives::PartitionLayout;
use parallax_codec::vsr::{HEADER_SIZE, Status, StatusLayout};
use parallax_codec::{Reply, Request};

use crate::connection::Dialect;
use crate::exchange::{BinaryContent, Exchange};

/// The layouts that the frames of one exchange show; `None` where they show
/// none: there is no such body, or its bytes fit more than one layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    /// Of the messages that were sent.
    pub messages_sent: Option<HeaderLayout>,
    /// Of the messages that a poll was answered with.
    pub messages_polled: Option<HeaderLayout>,
    /// Of the partition in a poll, or in a command about a stored offset.
    pub partition: Option<PartitionLayout>,
    /// Of the status in a VSR reply.
    pub status: Option<StatusLayout>,
}

/// The layouts that a connection has shown so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layouts {
    /// Of the messages that the client sent.
    pub messages_sent: Shown<HeaderLayout>,
    /// Of the messages in the server's poll replies.
    pub messages_polled: Shown<HeaderLayout>,
    /// Of the partition in the client's requests.
    pub partition: Shown<PartitionLayout>,
    /// Of the status in the server's VSR replies.
    pub status: Shown<StatusLayout>,
}

/// What was shown of one layout: each one once, in the order in which they came.
/// None: it is not known. More than one: the connection contradicts itself, and
/// none is taken for the right one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<T>(Vec<T>);

impl Layout {
    /// What the frames of `exchange` show. A frame that could not wholly be
    /// decoded shows nothing.
    pub fn of(exchange: &Exchange) -> Self {
        match exchange.binary() {
            Some(content) if exchange.undecoded.is_none() => Self {
                messages_sent: sent(content),
                messages_polled: polled(content),
                partition: partition(content),
                status: match exchange.dialect {
                    Dialect::Vsr => status(content),
                    Dialect::Classic | Dialect::Http => None,
                },
            },
            _ => Self::default(),
        }
    }
}

impl Layouts {
    /// Adds what an exchange showed. Whether anything of it is new.
    pub fn learn(&mut self, layout: Layout) -> bool {
        let new = [
            self.messages_sent.learn(layout.messages_sent),
            self.messages_polled.learn(layout.messages_polled),
            self.partition.learn(layout.partition),
            self.status.learn(layout.status),
        ];
        new.contains(&true)
    }

    /// What is known of each layout, in words: `messages polled` and `64-byte
    /// headers`; `None` where nothing has told it yet. Layouts that the dialect
    /// does not have are left out.
    pub fn told(&self, dialect: Dialect) -> Vec<(&'static str, Option<String>)> {
        let bodies = [
            ("messages sent", self.messages_sent.told(message_words)),
            ("messages polled", self.messages_polled.told(message_words)),
            ("partition", self.partition.told(partition_words)),
        ];
        let status = ("status", self.status.told(status_words));
        match dialect {
            Dialect::Classic => bodies.into(),
            Dialect::Vsr => bodies.into_iter().chain([status]).collect(),
            Dialect::Http => Vec::new(),
        }
    }

    /// The layouts of which the connection has shown more than one, in a sentence;
    /// `None` while there is none.
    pub fn contradiction(&self) -> Option<String> {
        let all = [
            ("messages sent", self.messages_sent.several(message_words)),
            (
                "messages polled",
                self.messages_polled.several(message_words),
            ),
            ("partition", self.partition.several(partition_words)),
            ("status", self.status.several(status_words)),
        ];
        let told: Vec<_> = all
            .into_iter()
            .filter_map(|(what, layouts)| Some(format!("{what}: {}", layouts?)))
            .collect();
        (!told.is_empty()).then(|| {
            format!(
                "its frames contradict each other about their layout ({}): which one holds is not \
                 known",
                told.join("; ")
            )
        })
    }
}

impl<T: Copy + PartialEq> Shown<T> {
    /// Each layout that was shown, in the order in which they came.
    pub fn all(&self) -> &[T] {
        &self.0
    }

    /// The layout, where it is known and nothing contradicts it.
    pub fn only(&self) -> Option<T> {
        match self.0.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn learn(&mut self, layout: Option<T>) -> bool {
        let new = layout.filter(|layout| !self.0.contains(layout));
        self.0.extend(new);
        new.is_some()
    }

    fn told(&self, words: fn(T) -> &'static str) -> Option<String> {
        match self.0.as_slice() {
            [] => None,
            [only] => Some(words(*only).to_owned()),
            all => Some(format!("contradictory: {}", joined(all, words))),
        }
    }

    fn several(&self, words: fn(T) -> &'static str) -> Option<String> {
        (self.0.len() > 1).then(|| joined(&self.0, words))
    }
}

impl<T> Default for Shown<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

fn joined<T: Copy>(all: &[T], words: fn(T) -> &'static str) -> String {
    let all: Vec<_> = all.iter().map(|one| words(*one)).collect();
    all.join(" and ")
}

/// The name in JSON: `headers_56`, `headers_64` or `batches`.
pub(crate) const fn message_layout_name(layout: HeaderLayout) -> &'static str {
    match layout {
        HeaderLayout::Headers56 => "headers_56",
        HeaderLayout::Headers64 => "headers_64",
        HeaderLayout::Batches => "batches",
    }
}

/// The name in JSON: `flagged` or `plain`.
pub(crate) const fn partition_layout_name(layout: PartitionLayout) -> &'static str {
    match layout {
        PartitionLayout::Flagged => "flagged",
        PartitionLayout::Plain => "plain",
    }
}

/// The name in JSON: `at_216`, `at_224` or `nowhere`.
pub(crate) const fn status_layout_name(layout: StatusLayout) -> &'static str {
    match layout {
        StatusLayout::At216 => "at_216",
        StatusLayout::At224 => "at_224",
        StatusLayout::Nowhere => "nowhere",
    }
}

const fn message_words(layout: HeaderLayout) -> &'static str {
    match layout {
        HeaderLayout::Headers56 => "56-byte headers",
        HeaderLayout::Headers64 => "64-byte headers",
        HeaderLayout::Batches => "batch records",
    }
}

const fn partition_words(layout: PartitionLayout) -> &'static str {
    match layout {
        PartitionLayout::Flagged => "with flag",
        PartitionLayout::Plain => "without flag",
    }
}

const fn status_words(layout: StatusLayout) -> &'static str {
    match layout {
        StatusLayout::At216 => "at byte 216",
        StatusLayout::At224 => "at byte 224",
        StatusLayout::Nowhere => "nowhere",
    }
}

fn sent(content: &BinaryContent) -> Option<HeaderLayout> {
    match &content.request {
        Some(Request::SendMessages(request)) => request.layout.headers(),
        _ => None,
    }
}

fn polled(content: &BinaryContent) -> Option<HeaderLayout> {
    match &content.reply {
        Some(Reply::PolledMessages(reply)) => reply.layout.headers(),
        _ => None,
    }
}

fn partition(content: &BinaryContent) -> Option<PartitionLayout> {
    match content.request.as_ref()? {
        Request::PollMessages(r) | Request::PollMessagesOnPrimary(r) => Some(r.partition_layout),
        Request::StoreConsumerOffset(r) => Some(r.partition_layout),
        Request::GetConsumerOffset(r) => Some(r.partition_layout),
        Request::DeleteConsumerOffset(r) => Some(r.partition_layout),
        _ => None,
    }
}

/// A login's reply has the protocol's version, which tells it; of other replies
/// the header, if anything.
fn status(content: &BinaryContent) -> Option<StatusLayout> {
    if let Some(Reply::Session(session)) = &content.reply {
        return StatusLayout::of_protocol(session.server_protocol_version);
    }
    let header = content.reply_frame.first_chunk::<HEADER_SIZE>()?;
    if content.eviction.is_some() {
        return None;
    }
    let body = content.reply_frame.len() - HEADER_SIZE;
    match Status::of(header, body as u64, None) {
        Status::Told { layout, .. } => layout,
        Status::Ambiguous { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polled(layout: Option<HeaderLayout>) -> Layout {
        Layout {
            messages_polled: layout,
            ..Layout::default()
        }
    }

    #[test]
    fn what_tells_nothing_leaves_a_layout_unknown() {
        let mut layouts = Layouts::default();
        assert!(!layouts.learn(polled(None)));
        assert_eq!(layouts.messages_polled.only(), None);
        let told = layouts.told(Dialect::Classic);
        assert!(told.iter().all(|(_, said)| said.is_none()), "{told:?}");
        assert_eq!(layouts.contradiction(), None);
    }

    #[test]
    fn a_layout_is_learned_once_and_what_does_not_tell_changes_nothing() {
        let mut layouts = Layouts::default();
        assert!(layouts.learn(polled(Some(HeaderLayout::Headers64))));
        assert!(!layouts.learn(polled(Some(HeaderLayout::Headers64))));
        assert!(!layouts.learn(polled(None)));
        assert_eq!(
            layouts.messages_polled.only(),
            Some(HeaderLayout::Headers64)
        );
        assert_eq!(layouts.contradiction(), None);
    }

    #[test]
    fn a_second_layout_contradicts_the_first_and_neither_is_taken() {
        let mut layouts = Layouts::default();
        layouts.learn(polled(Some(HeaderLayout::Headers64)));
        assert!(layouts.learn(polled(Some(HeaderLayout::Batches))));
        layouts.learn(polled(Some(HeaderLayout::Headers64)));
        assert_eq!(layouts.messages_polled.only(), None);
        let said = layouts.contradiction().unwrap();
        assert!(
            said.contains("messages polled: 64-byte headers and batch records"),
            "{said}"
        );
        // That a client sends in one layout and is answered in another is none.
        let mut layouts = Layouts::default();
        layouts.learn(Layout {
            messages_sent: Some(HeaderLayout::Batches),
            ..polled(Some(HeaderLayout::Headers64))
        });
        assert_eq!(layouts.contradiction(), None);
    }

    #[test]
    fn only_vsr_replies_have_a_status_whose_place_moved() {
        let what = |dialect| {
            let told = Layouts::default().told(dialect);
            told.into_iter().map(|(what, _)| what).collect::<Vec<_>>()
        };
        assert!(what(Dialect::Vsr).contains(&"status"));
        assert!(!what(Dialect::Classic).contains(&"status"));
        assert!(what(Dialect::Http).is_empty());
    }
}
