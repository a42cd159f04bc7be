//! Bodies of HTTP messages: JSON, of which only what is replaced is touched. Numbers of
//! any size and the order of things stay.

use super::Redaction;
use super::names::Names;
use super::sentence::sentence;
use crate::limits::REDACTED_JSON_DEPTH;

/// A body with its payloads, headers and names replaced; one that is no JSON is replaced
/// whole.
pub(super) fn body(names: &mut Names, redaction: Redaction, body: &[u8]) -> Vec<u8> {
    let read = std::str::from_utf8(body).ok().and_then(|text| {
        let mut editor = Editor {
            names,
            redaction,
            rest: text,
            told: String::with_capacity(text.len()),
            path: Vec::new(),
        };
        editor.value(None)?;
        editor.space();
        editor.rest.is_empty().then_some(editor.told)
    });
    match read {
        Some(told) => told.into_bytes(),
        None => names.key().content(body),
    }
}

struct Editor<'a> {
    names: &'a mut Names,
    redaction: Redaction,
    rest: &'a str,
    told: String,
    /// The names of the members that are being read.
    path: Vec<String>,
}

/// `None` from any of these: it is no JSON, or too deep.
impl Editor<'_> {
    /// `kind` is what the object said of its kind so far.
    fn value(&mut self, kind: Option<&str>) -> Option<()> {
        self.space();
        match self.rest.as_bytes().first()? {
            b'{' => self.object(),
            b'[' => self.list(),
            b'"' => {
                let text = self.string()?;
                let told = self.leaf(&text, kind);
                self.tell(&told);
                Some(())
            }
            _ => self.word(),
        }
    }

    fn object(&mut self) -> Option<()> {
        self.sign('{')?;
        let mut kind = None;
        if self.next_is('}') {
            return self.sign('}');
        }
        loop {
            let name = self.string()?;
            let told = self.member(&name);
            self.tell(&told);
            self.sign(':')?;
            self.path.push(name);
            if self.path.len() > REDACTED_JSON_DEPTH {
                return None;
            }
            let ahead = self.peek_string();
            self.value(kind.as_deref())?;
            if self.path.pop().is_some_and(|name| name == "kind") {
                kind = ahead;
            }
            if self.next_is('}') {
                return self.sign('}');
            }
            self.sign(',')?;
        }
    }

    fn list(&mut self) -> Option<()> {
        self.sign('[')?;
        if self.next_is(']') {
            return self.sign(']');
        }
        // Lists within lists are as deep as objects.
        self.path
            .push(self.path.last().cloned().unwrap_or_default());
        if self.path.len() > REDACTED_JSON_DEPTH {
            return None;
        }
        loop {
            self.value(None)?;
            if self.next_is(']') {
                self.path.pop();
                return self.sign(']');
            }
            self.sign(',')?;
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Option<()> {
        let end = self
            .rest
            .find(|letter: char| !(letter.is_ascii_alphanumeric() || "+-.".contains(letter)));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        if word.is_empty() {
            return None;
        }
        match word.parse() {
            Ok(number) if self.is_at("checksum") => {
                self.told += &self.names.key().number(number).to_string();
            }
            _ => self.told += word,
        }
        Some(())
    }

    /// What stands for a member's name: in a map of user headers it is a header's key.
    fn member(&self, name: &str) -> String {
        let is_key = self.is_at("user_headers") || self.is_at("headers");
        let in_list = matches!(name, "key" | "value");
        if is_key && !in_list && self.redaction == Redaction::Names {
            return self.names.key().content_text(name);
        }
        name.to_owned()
    }

    /// What stands for a string.
    fn leaf(&mut self, text: &str, kind: Option<&str>) -> String {
        let key = self.names.key();
        let named = |name: &str| self.path.iter().any(|one| one == name);
        let last = self.path.last().map(String::as_str).unwrap_or_default();
        if named("user_headers") || named("headers") {
            let is_key = self
                .path
                .iter()
                .rev()
                .nth(1)
                .is_some_and(|one| one == "key");
            return match last {
                "kind" => text.to_owned(),
                "value" if is_key && self.redaction == Redaction::Payloads => text.to_owned(),
                _ => key.base64(text),
            };
        }
        match last {
            "payload" => return key.base64(text),
            "checksum" => {
                let number = text.parse().map(|number| key.number(number).to_string());
                return number.unwrap_or_else(|_| key.content_text(text));
            }
            "value" if named("partitioning") => {
                let stays = matches!(kind, Some("balanced" | "partition_id" | "none"));
                return if stays {
                    text.to_owned()
                } else {
                    key.base64(text)
                };
            }
            _ => {}
        }
        if self.redaction == Redaction::Payloads {
            return text.to_owned();
        }
        match last {
            "code"
            | "compression_algorithm"
            | "created_at"
            | "expiry"
            | "expiry_at"
            | "field"
            | "kind"
            | "max_topic_size"
            | "message_expiry"
            | "role"
            | "size"
            | "status"
            | "transport" => text.to_owned(),
            "address" | "ip" => self.names.host(text),
            "context"
            | "iggy_server_version"
            | "kernel_version"
            | "os_name"
            | "os_version"
            | "version" => self.names.words(text),
            "reason" => sentence(self.names, text),
            _ if text.parse::<f64>().is_ok() => text.to_owned(),
            _ => self.names.name(text),
        }
    }

    fn is_at(&self, name: &str) -> bool {
        self.path.last().is_some_and(|last| last == name)
    }

    /// Takes a string, as it is meant.
    fn string(&mut self) -> Option<String> {
        self.space();
        let (text, rest) = split_string(self.rest)?;
        self.rest = rest;
        Some(text)
    }

    fn peek_string(&self) -> Option<String> {
        split_string(self.rest.trim_start()).map(|(text, _)| text)
    }

    /// Tells a string, as it is written.
    fn tell(&mut self, text: &str) {
        self.told += &serde_json::Value::from(text).to_string();
    }

    fn space(&mut self) {
        let rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
        self.told += &self.rest[..self.rest.len() - rest.len()];
        self.rest = rest;
    }

    fn next_is(&mut self, sign: char) -> bool {
        self.space();
        self.rest.starts_with(sign)
    }

    fn sign(&mut self, sign: char) -> Option<()> {
        self.space();
        self.rest = self.rest.strip_prefix(sign)?;
        self.told.push(sign);
        Some(())
    }
}

/// The JSON string that `text` begins with, as it is meant, and what follows it.
fn split_string(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut is_escaped = false;
    let end = inner.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })?;
    let (quoted, rest) = text.split_at(end + 2);
    Some((serde_json::from_str(quoted).ok()?, rest))
}
