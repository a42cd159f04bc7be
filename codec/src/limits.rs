//! Every limit of this crate, in one place.

/// Largest frame body, in bytes, that the framer gathers before it hands it
/// out. A longer one is stepped over: its first [`OVERSIZED_PREFIX`] bytes are
/// kept as a label, the rest is counted. The servers' own default maximum is
/// 64 MiB (`core/server/config.toml` of server 0.8.0); a debugging proxy needs
/// to look at less than it forwards.
pub const MAX_FRAME_BODY: usize = 64 * 1024 * 1024;

/// Bytes of an oversized body that are kept to show what it was.
pub const OVERSIZED_PREFIX: usize = 64 * 1024;

/// Elements of a sequence for which room is made at once, whatever count the
/// sender announced; more grow as they are read.
pub const MAX_ELEMENTS_PREALLOCATED: usize = 1024;

/// Bytes after which [`recognise`](crate::recognise::recognise) has always made up
/// its mind.
pub const RECOGNISE_WITHIN: usize = 61;
