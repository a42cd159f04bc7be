//! Names in sentences: of verdicts, findings, errors.

use super::names::{Names, is_in_word};

/// Words that sentences are made of. A name that is one of them is replaced where it
/// stands as a name does, and nowhere else.
const WORDS: [&str; 40] = [
    "and",
    "answer",
    "any",
    "bytes",
    "client",
    "code",
    "commit",
    "connection",
    "consumer",
    "count",
    "first",
    "for",
    "from",
    "group",
    "http",
    "last",
    "message",
    "messages",
    "next",
    "not",
    "offset",
    "partition",
    "poll",
    "reply",
    "request",
    "same",
    "server",
    "status",
    "stored",
    "stream",
    "tcp",
    "that",
    "the",
    "time",
    "timestamp",
    "token",
    "topic",
    "user",
    "value",
    "with",
];

/// Shorter names are words, too.
const SHORTEST: usize = 3;

/// What stands before a name.
const BEFORE: [&str; 13] = [
    "/",
    "\"",
    "'",
    "`",
    "=",
    "consumer ",
    "group ",
    "stream ",
    "topic ",
    "user ",
    "token ",
    "name ",
    "name: ",
];

/// What stands for a sentence where not every name is known that it may hold.
const LEFT_OUT: &str = "(left out: there were too many names to anonymize it)";

/// A sentence with the names that are known replaced, and the hosts that it names.
pub(super) fn sentence(names: &mut Names, text: &str) -> String {
    hosts(names, text);
    if names.is_full() {
        return LEFT_OUT.to_owned();
    }
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(letter) = rest.chars().next() {
        let begins = !(before.is_some_and(is_in_word) && is_in_word(letter));
        let found = names.at_start_of(rest).filter(|_| begins);
        let found = found.filter(|(_, length)| {
            let (name, after) = rest.split_at(*length);
            !is_word(name) || is_named(&text[..text.len() - rest.len()], after)
        });
        let length = if let Some((alias, length)) = found {
            told.push_str(alias);
            length
        } else {
            told.push(letter);
            letter.len_utf8()
        };
        before = rest[..length].chars().next_back();
        rest = &rest[length..];
    }
    told
}

fn is_word(name: &str) -> bool {
    name.len() < SHORTEST || WORDS.contains(&name)
}

/// Whether what stands between these is a name.
fn is_named(before: &str, after: &str) -> bool {
    BEFORE.iter().any(|sign| before.ends_with(sign)) || before.is_empty() && after.starts_with('/')
}

/// Learns the hosts that a sentence names: what has a port, or is an address.
fn hosts(names: &mut Names, text: &str) {
    let is_between = |letter: char| {
        letter.is_whitespace()
            || matches!(
                letter,
                '/' | '(' | ')' | ',' | ';' | '"' | '\'' | '<' | '>' | '@'
            )
    };
    for word in text.split(is_between) {
        let word = word.trim_end_matches(['.', ':', '?', '!']);
        let has_port = word.rsplit_once(':').is_some_and(|(host, port)| {
            host.contains(char::is_alphanumeric) && port.parse::<u16>().is_ok()
        });
        if has_port || word.parse::<std::net::IpAddr>().is_ok() {
            names.host(word);
        }
    }
    let mut rest = text;
    while let Some((_, address)) = rest.split_once("://") {
        let end = address.find(['/', ':', ' ', '?', '"', ',', ')']);
        let (host, after) = address.split_at(end.unwrap_or(address.len()));
        names.host(host.trim_end_matches('.'));
        rest = after;
    }
}
