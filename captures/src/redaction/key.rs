//! Bytes that stand for others, and do not tell which.

use std::hash::{BuildHasher as _, RandomState};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A keyed hash (the standard library's `SipHash`) with a random key that is written
/// nowhere: who has the result and guesses the original cannot check the guess.
#[derive(Debug, Default)]
pub(super) struct Key(RandomState);

/// Of what something is made, so that equal bytes of two kinds have nothing in common.
#[derive(Debug, Clone, Copy, Hash)]
pub(super) enum Kind {
    Content,
    Number,
    Name,
    Address,
}

impl Key {
    /// 64 bits that depend on all that is given.
    pub(super) fn word(&self, kind: Kind, bytes: &[u8], attempt: u64) -> u64 {
        self.0.hash_one((kind, bytes, attempt))
    }

    /// As many letters as there are bytes.
    pub(super) fn content(&self, bytes: &[u8]) -> Vec<u8> {
        self.letters(Kind::Content, bytes, 0, b"abcdefghijklmnopqrstuvwxyz")
    }

    /// The same of text.
    pub(super) fn content_text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.content(text.as_bytes())).into_owned()
    }

    /// The same of the bytes that `text` stands for in base64; of text that is none, of
    /// its letters.
    pub(super) fn base64(&self, text: &str) -> String {
        STANDARD.decode(text).map_or_else(
            |_| self.content_text(text),
            |bytes| STANDARD.encode(self.content(&bytes)),
        )
    }

    /// Another number; 0, which says that there is none, stays.
    pub(super) fn number(&self, number: u64) -> u64 {
        if number == 0 {
            return 0;
        }
        self.word(Kind::Number, &number.to_le_bytes(), 0).max(1)
    }

    /// Letters of `alphabet`, as many as there are bytes.
    pub(super) fn letters(
        &self,
        kind: Kind,
        bytes: &[u8],
        attempt: u64,
        alphabet: &[u8],
    ) -> Vec<u8> {
        // The bytes are gone through once, however many letters are wanted.
        let digest = [0, 1].map(|half| self.word(kind, bytes, attempt * 2 + half));
        let mut letters = Vec::with_capacity(bytes.len());
        for counter in 0.. {
            let word = self.0.hash_one((digest, counter));
            for byte in u64::to_le_bytes(word) {
                if letters.len() == bytes.len() {
                    return letters;
                }
                letters.push(alphabet[usize::from(byte) % alphabet.len()]);
            }
        }
        letters
    }
}
