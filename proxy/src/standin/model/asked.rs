use parallax_codec::Request;

/// A question to the server.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Which way it came.
    pub(crate) via: Via,
    /// The question.
    pub(crate) request: Request,
    /// When, in microseconds since 1970.
    pub(crate) now: u64,
}

/// Which way a question came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Via {
    /// From the connection with this number.
    Tcp(u32),
    /// Over HTTP, which has no connections, from one who has logged in.
    Http,
}

impl Via {
    /// The client's number; 0 stands for HTTP.
    pub(crate) const fn client(self) -> u32 {
        match self {
            Self::Tcp(client) => client,
            Self::Http => 0,
        }
    }
}
