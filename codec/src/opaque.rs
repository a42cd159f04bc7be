use bytes::Bytes;

use crate::writer::Writer;

/// A body of which no field is known, as it came. `Debug` shows its length alone:
/// a password may be in it.
#[derive(Clone, PartialEq, Eq)]
pub struct Opaque(pub Bytes);

impl Opaque {
    /// Writes the bytes as one field, masked where they may carry secrets.
    pub(crate) fn write_as(
        &self,
        name: &'static str,
        may_carry_secrets: bool,
        writer: &mut impl Writer,
    ) {
        if self.0.is_empty() {
            return;
        }
        if may_carry_secrets {
            writer.secret(name, &self.0);
        } else {
            writer.bytes(name, &self.0);
        }
    }
}

impl std::fmt::Debug for Opaque {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Opaque({} bytes)", self.0.len())
    }
}
