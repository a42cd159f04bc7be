use utoipa::ToSchema;

use super::value::Number;

/// What passed in one direction while more came than could be looked at.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Gap {
    /// Which way it went.
    #[schema(pattern = "^(to_server|to_client)$")]
    direction: String,
    /// Where it begins in the direction's stream, in bytes from its start.
    at: Number,
    /// Bytes in it.
    bytes: Number,
    /// Pieces in which they were read.
    observations: u64,
    /// When the first of them was read.
    #[schema(format = DateTime)]
    since: String,
    /// When the last of them was read.
    #[schema(format = DateTime)]
    until: String,
    /// The number of the exchange, of whichever connection, that was told last before it.
    after: u64,
}

/// The same, and on which connection.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct GapOfConnection {
    /// The connection.
    conn: u64,
    /// Which way it went.
    #[schema(pattern = "^(to_server|to_client)$")]
    direction: String,
    /// Where it begins in the direction's stream, in bytes from its start.
    at: Number,
    /// Bytes in it.
    bytes: Number,
    /// Pieces in which they were read.
    observations: u64,
    /// When the first of them was read.
    #[schema(format = DateTime)]
    since: String,
    /// When the last of them was read.
    #[schema(format = DateTime)]
    until: String,
    /// The number of the exchange, of whichever connection, that was told last before it.
    after: u64,
}
