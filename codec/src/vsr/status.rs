use crate::vsr::HEADER_SIZE;
use crate::vsr::prelude::at;

/// Where a reply's header holds its status, which moved twice (case E2):
///
/// ```text
///                       216              220        224           228
/// from 0.9.0-edge.2     status u32       0          0 ...
/// 0.8.2-edge.1          namespace u64               status u32    0 ...
/// 0.8.0                 namespace u64               0 ...
/// ```
/// The first is `iggy_binary_protocol` 0.11.0, `consensus/header.rs`; the others
/// are read from the tags of those servers (case E2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatusLayout {
    /// At byte 216: servers from 0.9.0-edge.2, and every one whose protocol is
    /// 0.11.0 or later.
    At216,
    /// At byte 224, behind a namespace: server 0.8.2-edge.1 and SDKs of its time.
    At224,
    /// Nowhere, a namespace alone: the VSR frames of server 0.8.0.
    Nowhere,
}

/// What a reply's header says of success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// 0 for success, else the number of the error.
    Told {
        /// The number.
        code: u32,
        /// The layout that tells it; `None` where all agree.
        layout: Option<StatusLayout>,
    },
    /// The bytes are an error in one layout and success in another, and nothing
    /// decides: an old decoder takes such a denial for success.
    Ambiguous {
        /// The status, if it stands at byte 216.
        at_216: u32,
        /// The status, if it stands at byte 224.
        at_224: u32,
    },
}

impl Status {
    /// Reads the status of a reply whose body has `body_length` bytes. `known` is
    /// the layout that the connection has shown already, from
    /// [`StatusLayout::of_protocol`] or an earlier reply.
    pub fn of(header: &[u8; HEADER_SIZE], body_length: u64, known: Option<StatusLayout>) -> Self {
        let at_216 = u32::from_le_bytes(at(header, 216));
        let at_220 = u32::from_le_bytes(at(header, 220));
        let at_224 = u32::from_le_bytes(at(header, 224));
        let told = |code, layout| Self::Told { code, layout };
        match known {
            Some(StatusLayout::At216) => return told(at_216, known),
            Some(StatusLayout::At224) => return told(at_224, known),
            Some(StatusLayout::Nowhere) => return told(0, known),
            None => {}
        }
        match (at_216, at_220, at_224) {
            // Beyond the first 4 bytes only a namespace or the later place of
            // the status fills what is reserved in the newest layout.
            (_, _, 1..) => told(at_224, Some(StatusLayout::At224)),
            // A denial never has a body.
            (1.., 0, 0) if body_length == 0 => Self::Ambiguous { at_216, at_224 },
            // Zeros, or a namespace.
            _ => told(0, None),
        }
    }

    /// The number, where it is known.
    pub const fn code(self) -> Option<u32> {
        match self {
            Self::Told { code, .. } => Some(code),
            Self::Ambiguous { .. } => None,
        }
    }
}

impl StatusLayout {
    /// The first protocol version all of whose servers have the status at byte 216.
    pub const FIRST_AT_216: super::ProtocolVersion = super::ProtocolVersion(11 << 10);

    /// The layout that goes with a protocol version, where it is known. Versions
    /// before 0.11.0 had all three.
    pub fn of_protocol(version: super::ProtocolVersion) -> Option<Self> {
        (version >= Self::FIRST_AT_216).then_some(Self::At216)
    }
}
