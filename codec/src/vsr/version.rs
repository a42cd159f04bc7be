/// A protocol version, three numbers of 10 bits each in a `u32`:
///
/// ```text
/// bit 31..30  29..20  19..10  9..0
///     0       major   minor   patch
/// ```
/// It is the version of the crate `iggy_binary_protocol`, without its
/// `-edge.N`. From that crate, 0.11.0, `version.rs`.
///
/// ```
/// use parallax_codec::vsr::ProtocolVersion;
/// assert_eq!(ProtocolVersion(0x2c00).to_string(), "0.11.0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProtocolVersion(pub u32);

impl std::fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (major, minor, patch) = (self.0 >> 20, (self.0 >> 10) & 0x3ff, self.0 & 0x3ff);
        write!(f, "{major}.{minor}.{patch}")
    }
}

impl std::fmt::Debug for ProtocolVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ProtocolVersion({self})")
    }
}
