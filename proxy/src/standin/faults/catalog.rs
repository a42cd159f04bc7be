use std::collections::BTreeSet;

use parallax_captures::FindingCode;
use parallax_codec::Dialect;

use super::Behaviour;
use super::commit_refused::CommitRefused;
use super::different_code::DifferentCode;
use super::empty_first::EmptyFirst;
use super::eviction::Eviction;
use super::false_first_offset::FalseFirstOffset;
use super::fenced::Fenced;
use super::group_replay::GroupReplay;
use super::leader_elsewhere::LeaderElsewhere;
use super::masked_error::MaskedError;
use super::offset_jump::OffsetJump;
use super::offset_lost::OffsetLost;
use super::pat_refused::PatRefused;
use super::reply_lost::ReplyLost;
use super::restart::{Loss, Restart};
use super::retention_gap::RetentionGap;
use super::retries::Retries;
use super::skip_after_purge::SkipAfterPurge;
use super::sound::Sound;
use super::status_moved::StatusMoved;
use super::transient_empty::TransientEmpty;
use super::truncated_body::TruncatedBody;

/// A fault, by name: something that a server does wrong, or that a client does and
/// a sound server lets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each says what it is in its summary")]
pub enum Fault {
    FalseFirstOffset,
    EmptyFirst,
    OffsetJump,
    RetentionGap,
    OffsetReused,
    StoredAhead,
    TransientEmpty,
    MaskedError,
    GroupReplay,
    OffsetLost,
    Fenced,
    CommitRefused,
    CommitAfterLeave,
    SameBatchAgain,
    SkipAfterPurge,
    TailStart,
    TruncatedBody,
    Eviction,
    StatusMoved,
    LeaderElsewhere,
    DuplicateSend,
    Retries,
    DifferentCode,
    PatRefused,
}

/// What there is to say about a fault.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is wrong, in one line.
    pub summary: &'static str,
    /// The public report that it comes from.
    pub case: &'static str,
    /// The finding that names it, where there is one.
    pub finding: Option<FindingCode>,
    /// The dialects in which it can be shown.
    pub dialects: &'static [Dialect],
}

const BOTH: &[Dialect] = &[Dialect::Classic, Dialect::Vsr];
const CLASSIC: &[Dialect] = &[Dialect::Classic];
const VSR: &[Dialect] = &[Dialect::Vsr];

const fn description(
    name: &'static str,
    case: &'static str,
    finding: Option<u16>,
    dialects: &'static [Dialect],
    summary: &'static str,
) -> Description {
    Description {
        name,
        summary,
        case,
        finding: match finding {
            Some(number) => Some(FindingCode(number)),
            None => None,
        },
        dialects,
    }
}

impl Fault {
    /// Every fault, in the order of the list.
    pub const ALL: [Self; 24] = [
        Self::FalseFirstOffset,
        Self::EmptyFirst,
        Self::OffsetJump,
        Self::RetentionGap,
        Self::OffsetReused,
        Self::StoredAhead,
        Self::TransientEmpty,
        Self::MaskedError,
        Self::GroupReplay,
        Self::OffsetLost,
        Self::Fenced,
        Self::CommitRefused,
        Self::CommitAfterLeave,
        Self::SameBatchAgain,
        Self::SkipAfterPurge,
        Self::TailStart,
        Self::TruncatedBody,
        Self::Eviction,
        Self::StatusMoved,
        Self::LeaderElsewhere,
        Self::DuplicateSend,
        Self::Retries,
        Self::DifferentCode,
        Self::PatRefused,
    ];

    /// The fault with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|fault| fault.description().name == name)
    }

    /// What there is to say about it.
    #[rustfmt::skip]
    pub const fn description(self) -> Description {
        match self {
            Self::FalseFirstOffset => description("false_first_offset", "A1", Some(102), CLASSIC,
                "a partition's first message claims another offset: polls that meet it fail with 4100"),
            Self::EmptyFirst => description("empty_first", "A2", Some(201), BOTH,
                "First finds nothing in a partition that has messages"),
            Self::OffsetJump => description("offset_jump", "A3", Some(203), BOTH,
                "Next passes over ten messages that can be read"),
            Self::RetentionGap => description("retention_gap", "A3", Some(204), BOTH,
                "Next jumps over messages that retention has deleted; harmless"),
            Self::OffsetReused => description("offset_reused", "A4", Some(205), BOTH,
                "after a restart new messages get the offsets of others"),
            Self::StoredAhead => description("stored_ahead", "A4", Some(206), BOTH,
                "after a restart the stored offset is ahead of the log: Next stays empty"),
            Self::TransientEmpty => description("transient_empty", "A5", None, BOTH,
                "one poll is empty, and the next one has the messages; harmless"),
            Self::MaskedError => description("masked_error", "C2", Some(106), BOTH,
                "TCP says that there is nothing, HTTP that the partition cannot be read"),
            Self::GroupReplay => description("group_replay", "B1", Some(301), BOTH,
                "a group's next member begins at the start again"),
            Self::OffsetLost => description("offset_lost", "B2", Some(207), BOTH,
                "an offset that a group has stored is not found a moment later"),
            Self::Fenced => description("fenced", "B5", Some(303), VSR,
                "the server no longer knows a member, which polls on for ever"),
            Self::CommitRefused => description("commit_refused", "B11", Some(305), BOTH,
                "no offset can be stored, with 3024, while messages keep coming"),
            Self::CommitAfterLeave => description("commit_after_leave", "B6", Some(302), BOTH,
                "a client leaves its group and stores what it has read only then"),
            Self::SameBatchAgain => description("same_batch_again", "B10", Some(502), BOTH,
                "a client asks for First again and again, and gets the same messages"),
            Self::SkipAfterPurge => description("skip_after_purge", "A12", Some(209), BOTH,
                "after a purge a reader passes over the first new messages"),
            Self::TailStart => description("tail_start", "A1", Some(306), BOTH,
                "a new group begins at the end: all that was there before is never read"),
            Self::TruncatedBody => description("truncated_body", "C9, E5", Some(403), BOTH,
                "a poll's reply counts more messages than its body holds"),
            Self::Eviction => description("eviction", "E1", Some(404), VSR,
                "the server ends a session between a request and its reply"),
            Self::StatusMoved => description("status_moved", "E2", None, VSR,
                "a refusal's status stands where older servers had it"),
            Self::LeaderElsewhere => description("leader_elsewhere", "E7", Some(503), BOTH,
                "the cluster's leader is at another address: the client goes there, past parallax"),
            Self::DuplicateSend => description("duplicate_send", "E8", Some(505), BOTH,
                "a connection dies before a send's reply, and the client sends once more"),
            Self::Retries => description("retries", "E9", Some(506), VSR,
                "a send is put off fourteen times with 57 before it is carried out"),
            Self::DifferentCode => description("different_code", "E4", Some(107), BOTH,
                "the same failure is 20 on TCP and 3007 over HTTP"),
            Self::PatRefused => description("pat_refused", "C5", Some(409), BOTH,
                "HTTP takes an access token that two of three TCP connections refuse"),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.description().name)
    }
}

/// A fault, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedFault {
    /// The fault.
    pub fault: Fault,
    /// The stream's name.
    pub stream: String,
    /// The topic's name.
    pub topic: String,
    /// The partition, where it is in one.
    pub partition_id: u32,
}

impl PlacedFault {
    /// What a server with this fault does.
    pub(in crate::standin) fn behaviour(&self) -> Box<dyn Behaviour> {
        let place = self.clone();
        let restart = |loss| Restart {
            place: self.clone(),
            loss,
            done: false,
        };
        match self.fault {
            Fault::FalseFirstOffset => Box::new(FalseFirstOffset(place)),
            Fault::EmptyFirst => Box::new(EmptyFirst(place)),
            Fault::OffsetJump => Box::new(OffsetJump { place, done: false }),
            Fault::RetentionGap => Box::new(RetentionGap(place)),
            Fault::OffsetReused => Box::new(restart(Loss::OffsetsReused)),
            Fault::StoredAhead => Box::new(restart(Loss::StoredAhead)),
            Fault::TransientEmpty => Box::new(TransientEmpty { place, polls: 0 }),
            Fault::MaskedError => Box::new(MaskedError(place)),
            Fault::GroupReplay => Box::new(GroupReplay {
                place,
                members: BTreeSet::new(),
            }),
            Fault::OffsetLost => Box::new(OffsetLost),
            Fault::Fenced => Box::new(Fenced::default()),
            Fault::CommitRefused => Box::new(CommitRefused),
            Fault::SkipAfterPurge => Box::new(SkipAfterPurge {
                place,
                readers: Vec::new(),
            }),
            Fault::TruncatedBody => Box::new(TruncatedBody(place)),
            Fault::Eviction => Box::new(Eviction::default()),
            Fault::StatusMoved => Box::new(StatusMoved),
            Fault::LeaderElsewhere => Box::new(LeaderElsewhere),
            Fault::DuplicateSend => Box::new(ReplyLost::default()),
            Fault::Retries => Box::new(Retries::default()),
            Fault::DifferentCode => Box::new(DifferentCode(place)),
            Fault::PatRefused => Box::new(PatRefused::default()),
            // What the client does is wrong.
            Fault::CommitAfterLeave | Fault::SameBatchAgain | Fault::TailStart => Box::new(Sound),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Fault;

    #[test]
    fn every_fault_has_a_name_of_its_own_and_is_in_the_list_once() {
        let all: BTreeSet<_> = Fault::ALL.into_iter().collect();
        assert_eq!(all.len(), Fault::ALL.len());
        for fault in Fault::ALL {
            assert_eq!(Fault::from_name(fault.description().name), Some(fault));
            assert!(!fault.description().dialects.is_empty());
        }
        assert_eq!(Fault::from_name("nonsense"), None);
    }
}
