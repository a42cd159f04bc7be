//! What comes out of reassembly.

use std::net::SocketAddr;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::classic::Direction;

/// Something that happened on a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamEvent {
    /// Number of the stream in the capture, from 0, in order of appearance.
    pub stream: u64,
    /// When the packet that shows it was captured, which may be earlier than
    /// that of the event before: bytes that came out of order keep their time.
    pub time: Timestamp,
    /// What happened.
    pub kind: StreamEventKind,
}

/// What can happen on a stream. Every stream's first event is `Opened`, its last
/// is `Closed`, each exactly once.
#[derive(Clone, PartialEq, Eq)]
pub enum StreamEventKind {
    /// The stream was seen for the first time.
    Opened {
        /// Who opened it, or is taken for it.
        client: SocketAddr,
        /// The other end.
        server: SocketAddr,
        /// The capture does not hold its beginning, so that bytes may be
        /// missing before the first, and who is the client is a guess.
        mid_stream: bool,
    },
    /// The next bytes.
    Bytes {
        /// Which way they went.
        direction: Direction,
        /// The bytes, at least one.
        bytes: Bytes,
    },
    /// Bytes that were sent and that the capture does not hold.
    Gap {
        /// Which way they went.
        direction: Direction,
        /// How many, at least one.
        length: u64,
    },
    /// One side has said that it sends nothing more (FIN), and all that it sent
    /// has come out.
    HalfClosed {
        /// The direction that is at its end.
        direction: Direction,
    },
    /// The stream is at its end.
    Closed {
        /// How it ended.
        how: Ending,
    },
}

/// How a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The capture ended while it was open.
    CaptureEnded,
    /// Both sides said that they send nothing more (FIN).
    Finished,
    /// Too many streams were open, and this was silent for longest.
    GivenUp,
    /// The same addresses and ports opened a new stream; the end of this is not
    /// in the capture.
    PortReused,
    /// One side tore it down (RST).
    Reset {
        /// The direction in which the RST went: to the server when the client
        /// sent it.
        direction: Direction,
    },
}

impl std::fmt::Debug for StreamEventKind {
    /// Without the bytes, which may hold a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Opened {
                client,
                server,
                mid_stream,
            } => f
                .debug_struct("Opened")
                .field("client", client)
                .field("server", server)
                .field("mid_stream", mid_stream)
                .finish(),
            Self::Bytes { direction, bytes } => f
                .debug_struct("Bytes")
                .field("direction", direction)
                .field("length", &bytes.len())
                .finish(),
            Self::Gap { direction, length } => f
                .debug_struct("Gap")
                .field("direction", direction)
                .field("length", length)
                .finish(),
            Self::HalfClosed { direction } => f
                .debug_struct("HalfClosed")
                .field("direction", direction)
                .finish(),
            Self::Closed { how } => f.debug_struct("Closed").field("how", how).finish(),
        }
    }
}
