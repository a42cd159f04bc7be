//! What nobody else may know.

use std::fmt::Write as _;

use subtle::ConstantTimeEq as _;

/// A token or a password. Its `Debug` shows nothing of it, and comparing it takes as long
/// whatever is wrong.
pub(crate) struct Secret(String);

/// Bytes of a random secret: 160 bits.
const RANDOM_BYTES: usize = 20;

impl Secret {
    pub(crate) const fn new(text: String) -> Self {
        Self(text)
    }

    /// A random one, from the system's own source.
    ///
    /// # Errors
    /// The system has none.
    pub(crate) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; RANDOM_BYTES];
        getrandom::fill(&mut bytes)?;
        let mut text = String::with_capacity(2 * RANDOM_BYTES);
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    /// Whether this is it. Only its length can be learned from how long that takes.
    pub(crate) fn is(&self, said: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(said).into()
    }

    /// As it is, to be told to the user and nobody else.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_secret_is_long_new_and_not_shown() {
        let (one, other) = (Secret::random().unwrap(), Secret::random().unwrap());
        assert_eq!(one.reveal().len(), 40);
        assert!(one.is(one.reveal().as_bytes()) && !one.is(other.reveal().as_bytes()));
        assert!(!one.is(b"") && !one.is(&one.reveal().as_bytes()[..39]));
        assert_eq!(format!("{one:?}"), "Secret(***)");
    }
}
