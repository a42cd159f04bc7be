//! Where what is made up comes from: bytes that proptest chooses.

/// Chosen bytes, one after the other; zeros after them.
pub(crate) struct Entropy<'a>(pub(crate) std::slice::Iter<'a, u8>);

impl Entropy<'_> {
    pub(crate) fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: u8) -> u8 {
        self.byte() % limit
    }

    pub(crate) fn yes(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// A text of at least `least` bytes.
    pub(crate) fn text(&mut self, least: u64) -> Vec<u8> {
        let length = least + u64::from(self.below(5));
        (0..length).map(|_| b'a' + self.below(26)).collect()
    }
}
