//! Which name stands for which.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::net::{IpAddr, SocketAddr};

use super::address;
use super::key::{Key, Kind};
use crate::limits::{ANONYMIZED_NAME_ATTEMPTS, ANONYMIZED_NAMES};
use crate::text::percent_encoded;

const LOWER: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
/// Of short names there are few.
const BOTH: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SHORT: usize = 3;

/// The names that were met, and what stands for each: another of the same length, for
/// no two the same as long as there is one left.
#[derive(Debug, Default)]
pub(super) struct Names {
    key: Key,
    aliases: HashMap<String, String>,
    /// The forms in which a name may stand in a sentence: as it is, or escaped.
    forms: HashMap<String, String>,
    lengths: BTreeSet<usize>,
    taken: HashSet<String>,
    shared: u64,
    is_full: bool,
}

impl Names {
    pub(super) const fn key(&self) -> &Key {
        &self.key
    }

    /// Names whose alias is also another's.
    pub(super) const fn shared(&self) -> u64 {
        self.shared
    }

    /// Whether there were more names than can be kept: sentences may then hold some that
    /// are not known.
    pub(super) const fn is_full(&self) -> bool {
        self.is_full
    }

    /// What stands for a name. A number stays: it names nobody, and to a server it may be
    /// an id.
    pub(super) fn name(&mut self, name: &str) -> String {
        if name.is_empty() || name.parse::<u32>().is_ok() {
            return name.to_owned();
        }
        if let Some(alias) = self.aliases.get(name) {
            return alias.clone();
        }
        let alphabet = if name.len() <= SHORT { BOTH } else { LOWER };
        let make = |key: &Key, attempt| {
            let letters = key.letters(Kind::Name, name.as_bytes(), attempt, alphabet);
            String::from_utf8_lossy(&letters).into_owned()
        };
        let alias = self.untaken(name, make);
        self.remember(name, &alias);
        alias
    }

    /// What a client or a server calls itself, word by word: versions stay.
    pub(super) fn words(&mut self, text: &str) -> String {
        let mut told = String::with_capacity(text.len());
        for part in text.split_inclusive(is_between_words) {
            let word = part.trim_end_matches(is_between_words);
            if is_version(word) || word == "protocol" {
                told.push_str(word);
            } else {
                told.push_str(&self.name(word));
            }
            told.push_str(&part[word.len()..]);
        }
        told
    }

    /// What stands for an address: one that is written with as many digits. Those of
    /// this very machine stay.
    pub(super) fn ip(&mut self, ip: IpAddr) -> IpAddr {
        if address::stays(ip) {
            return ip;
        }
        let name = ip.to_string();
        if let Some(alias) = self.aliases.get(&name).and_then(|alias| alias.parse().ok()) {
            return alias;
        }
        let make = |key: &Key, attempt| address::other(ip, key, attempt).to_string();
        let alias = self.untaken(&name, make);
        self.remember(&name, &alias);
        alias.parse().unwrap_or(ip)
    }

    /// The same with its port, which stays.
    pub(super) fn socket(&mut self, address: SocketAddr) -> SocketAddr {
        SocketAddr::new(self.ip(address.ip()), address.port())
    }

    /// What stands for an address or a host's name, with a port or without.
    pub(super) fn host(&mut self, text: &str) -> String {
        if let Ok(address) = text.parse::<SocketAddr>() {
            return self.socket(address).to_string();
        }
        if let Ok(ip) = text.parse::<IpAddr>() {
            return self.ip(ip).to_string();
        }
        match text.rsplit_once(':') {
            Some((host, port)) if port.parse::<u16>().is_ok() => {
                format!("{}:{port}", self.host_name(host))
            }
            _ => self.host_name(text),
        }
    }

    fn host_name(&mut self, host: &str) -> String {
        if host == "localhost" {
            return host.to_owned();
        }
        self.name(host)
    }

    /// What stands for the longest known name that `text` begins with, and that name's
    /// length.
    pub(super) fn at_start_of(&self, text: &str) -> Option<(&str, usize)> {
        let lengths = self.lengths.iter().rev().copied();
        let forms = lengths.filter_map(|length| text.get(..length));
        forms
            .filter(|form| ends_a_word(form, &text[form.len()..]))
            .find_map(|form| Some((self.forms.get(form)?.as_str(), form.len())))
    }

    /// An alias that is nobody's, and if that can be no other's name; else a shared one.
    fn untaken(&mut self, name: &str, make: impl Fn(&Key, u64) -> String) -> String {
        let attempts = || (0..ANONYMIZED_NAME_ATTEMPTS).map(|attempt| make(&self.key, attempt));
        let is_free = |alias: &String| !self.taken.contains(alias) && alias != name;
        let is_no_name = |alias: &String| !self.aliases.contains_key(alias);
        let found = attempts()
            .find(|alias| is_free(alias) && is_no_name(alias))
            .or_else(|| attempts().find(is_free));
        found.unwrap_or_else(|| {
            self.shared += 1;
            make(&self.key, 0)
        })
    }

    fn remember(&mut self, name: &str, alias: &str) {
        if self.aliases.len() >= ANONYMIZED_NAMES {
            self.is_full = true;
            return;
        }
        for form in [name.to_owned(), percent_encoded(name), escaped(name)] {
            self.lengths.insert(form.len());
            self.forms.insert(form, alias.to_owned());
        }
        self.taken.insert(alias.to_owned());
        self.aliases.insert(name.to_owned(), alias.to_owned());
    }
}

/// Whether a word may end where `rest` begins.
pub(super) fn ends_a_word(word: &str, rest: &str) -> bool {
    !(word.chars().next_back().is_some_and(is_in_word)
        && rest.chars().next().is_some_and(is_in_word))
}

pub(super) fn is_in_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn escaped(name: &str) -> String {
    name.escape_debug().to_string()
}

fn is_between_words(letter: char) -> bool {
    letter.is_ascii_whitespace() || matches!(letter, ',' | ';' | '(' | ')' | '/')
}

/// `0.10.0`, `0.11.0-edge.4`, `5.15.0`.
fn is_version(word: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (release, stage) = word.split_once('-').unwrap_or((word, ""));
    let stages = ["edge", "rc", "alpha", "beta"];
    let is_stage = |part: &str| part.is_empty() || number(part) || stages.contains(&part);
    release.split('.').all(number) && stage.split('.').all(is_stage)
}
