//! A capture as a server's memory: what it answers, and when it has nothing to say.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use parallax_captures::difference::{RequestKey, Rules};
use parallax_captures::{BinaryContent, Content, Dialect, Exchange};
use parallax_codec::vsr::Prelude;
use parallax_codec::{Request, classic, vsr};

use crate::limits::TAPE_TOLD;

/// The replies of a capture, by what was asked. Equal requests are answered in the
/// captured order, over all connections; once all are given, the last is given again.
/// Any password and any token will do: they are masked in a capture.
#[derive(Debug)]
pub struct Tape {
    rules: Rules,
    replies: HashMap<(Dialect, u64), Replies>,
    /// How many requests are about the same thing, whatever they ask of it.
    about: HashMap<(Dialect, u64), usize>,
    /// The last login by name and password, and by token, that succeeded.
    logins: HashMap<(Dialect, bool), Arc<Exchange>>,
    told: HashSet<u64>,
    served: Served,
    left_out: usize,
}

#[derive(Debug, Default)]
struct Replies {
    captured: Vec<Arc<Exchange>>,
    given: usize,
}

/// How much was answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Served {
    /// Requests that got a captured reply.
    pub answered: u64,
    /// Those among them that got one that had been given before.
    pub repeated: u64,
    /// Requests that are not on the tape.
    pub missing: u64,
}

/// What a tape says to a request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// The reply to this.
    Captured(Arc<Exchange>),
    /// Nothing like it was captured.
    Missing {
        /// Requests of the same command about the same thing that were.
        similar: usize,
        /// Whether it is asked for the first time.
        is_new: bool,
    },
}

impl Tape {
    /// The tape of these exchanges; `rules` say what of a request does not matter.
    pub fn of(exchanges: &[Arc<Exchange>], rules: Rules) -> Self {
        let mut tape = Self {
            rules,
            replies: HashMap::new(),
            about: HashMap::new(),
            logins: HashMap::new(),
            told: HashSet::new(),
            served: Served::default(),
            left_out: 0,
        };
        for exchange in exchanges {
            if !is_playable(exchange) {
                tape.left_out += 1;
                continue;
            }
            let dialect = exchange.dialect;
            let key = RequestKey::of(exchange, &tape.rules);
            let replies = tape.replies.entry((dialect, key.exact())).or_default();
            replies.captured.push(Arc::clone(exchange));
            *tape.about.entry((dialect, key.about())).or_default() += 1;
            if let (Some(by_token), false) = (is_login(exchange), exchange.failed()) {
                tape.logins
                    .insert((dialect, by_token), Arc::clone(exchange));
            }
        }
        tape
    }

    /// Whether anything of a dialect was captured.
    pub fn speaks(&self, dialect: Dialect) -> bool {
        self.about.keys().any(|(spoken, _)| *spoken == dialect)
    }

    /// Exchanges that cannot be played: their frames are not there whole, their reply
    /// was not captured, or its body was withheld because it may hold a secret.
    pub const fn left_out(&self) -> usize {
        self.left_out
    }

    /// Counts a request that nobody can find on it, for it cannot be read.
    pub const fn miss(&mut self) {
        self.served.missing += 1;
    }

    /// How much was answered so far.
    pub const fn served(&self) -> Served {
        self.served
    }

    /// The answer to a request.
    pub fn answer(&mut self, asked: &Exchange) -> Answer {
        let dialect = asked.dialect;
        let key = RequestKey::of(asked, &self.rules);
        // Who logs in once more, or as somebody else, is let in.
        let login = is_login(asked).and_then(|by_token| self.logins.get(&(dialect, by_token)));
        let reply = match self.replies.get_mut(&(dialect, key.exact())) {
            Some(replies) => {
                let last = replies.captured.len() - 1;
                let is_repeated = replies.given > last;
                self.served.repeated += u64::from(is_repeated);
                let next = &replies.captured[replies.given.min(last)];
                replies.given = replies.given.min(last) + 1;
                Some(login.filter(|_| is_repeated).unwrap_or(next))
            }
            None => login,
        };
        if let Some(reply) = reply {
            self.served.answered += 1;
            return Answer::Captured(Arc::clone(reply));
        }
        self.served.missing += 1;
        Answer::Missing {
            similar: self
                .about
                .get(&(dialect, key.about()))
                .copied()
                .unwrap_or(0),
            is_new: self.told.len() < TAPE_TOLD && self.told.insert(key.exact()),
        }
    }
}

/// Whether a login, and then whether by token.
fn is_login(exchange: &Exchange) -> Option<bool> {
    match &exchange.binary()?.request {
        Some(Request::LoginUser(_) | Request::LoginRegister(_)) => Some(false),
        Some(Request::LoginWithPersonalAccessToken(_) | Request::LoginRegisterWithPat(_)) => {
            Some(true)
        }
        _ => None,
    }
}

fn is_playable(exchange: &Exchange) -> bool {
    match &exchange.content {
        Content::Binary(content) => {
            content.request.is_some() && is_whole(exchange.dialect, content)
        }
        Content::Http(content) => {
            let is_withheld = content.response_body.is_empty()
                && content.http_status == Some(200)
                && !is_http_login(&content.target)
                && ["/users", "/personal-access-tokens"]
                    .iter()
                    .any(|path| content.target.starts_with(path));
            content.http_status.is_some() && !is_withheld
        }
        Content::Unsolicited(_) => false,
    }
}

/// Whether a path is one of the two logins over HTTP, whose answers hold a token and
/// are not kept.
pub(super) fn is_http_login(target: &str) -> bool {
    let path = target.split('?').next().unwrap_or_default();
    matches!(path, "/users/login" | "/personal-access-tokens/login")
}

fn is_whole(dialect: Dialect, content: &BinaryContent) -> bool {
    let frame = &content.reply_frame;
    match dialect {
        Dialect::Classic => frame
            .get(4..classic::FRAME_HEADER_SIZE)
            .is_some_and(|length| {
                let length = length.try_into().map_or(0, u32::from_le_bytes);
                frame.len() - classic::FRAME_HEADER_SIZE == length as usize
            }),
        Dialect::Vsr => frame
            .first_chunk::<{ vsr::HEADER_SIZE }>()
            .is_some_and(|header| frame.len() == Prelude::of(header).size as usize),
        Dialect::Http => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::offline::read_capture;

    fn tape(name: &str) -> (Tape, Vec<Arc<Exchange>>) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = root.join("../captures/recorded").join(name);
        let exchanges = read_capture(&path).unwrap().exchanges;
        (Tape::of(&exchanges, Rules::built_in()), exchanges)
    }

    fn number(answer: &Answer) -> Option<u64> {
        match answer {
            Answer::Captured(exchange) => Some(exchange.n),
            Answer::Missing { .. } => None,
        }
    }

    #[test]
    fn who_asks_what_was_captured_is_answered_as_was_captured() {
        for folder in ["server-0.8.0_sdk-0.10.0", "server-0.9-edge_sdk-0.11-edge"] {
            for scene in [
                "admin", "consumer", "empty", "group", "polls", "purge", "setup",
            ] {
                let (mut tape, exchanges) = tape(&format!("{folder}/{scene}.pcap"));
                // The end of one recording is cut off.
                let has_reply = |one: &&Arc<Exchange>| one.times.reply.is_some();
                let answered: Vec<_> = exchanges.iter().filter(has_reply).collect();
                for exchange in &answered {
                    let answer = tape.answer(exchange);
                    assert_eq!(number(&answer), Some(exchange.n), "{folder}/{scene}");
                }
                let served = tape.served();
                assert_eq!(served.answered, answered.len() as u64);
                assert_eq!((served.repeated, served.missing), (0, 0));
                assert_eq!(tape.left_out(), exchanges.len() - answered.len());
            }
        }
    }

    #[test]
    fn the_last_of_equal_requests_is_answered_again_and_a_login_always_succeeds() {
        let (mut tape, exchanges) = tape("server-0.9-edge_sdk-0.11-edge/admin.pcap");
        let (good, bad) = (&exchanges[0], exchanges.last().unwrap());
        assert!(bad.is_refused());
        assert_eq!(number(&tape.answer(good)), Some(good.n));
        assert_eq!(number(&tape.answer(good)), Some(bad.n));
        assert_eq!(number(&tape.answer(good)), Some(good.n));
        assert_eq!(tape.served().repeated, 1);
    }

    #[test]
    fn what_is_not_on_the_tape_is_told_once_with_what_is_like_it() {
        let (mut tape, exchanges) = tape("server-0.8.0_sdk-0.10.0/empty.pcap");
        let poll = exchanges.iter().find(|one| one.poll().is_some()).unwrap();
        let mut other = Exchange::clone(poll);
        if let Content::Binary(content) = &mut other.content
            && let Some(Request::PollMessages(poll)) = &mut content.request
        {
            poll.count += 1;
        }
        let answers = [tape.answer(&other), tape.answer(&other)];
        for (answer, first) in answers.iter().zip([true, false]) {
            let Answer::Missing { similar, is_new } = answer else {
                panic!("{answer:?}");
            };
            assert_eq!((*similar, *is_new), (2, first));
        }
        assert_eq!(tape.served().missing, 2);
    }

    #[test]
    fn of_too_many_missing_requests_each_is_counted_and_no_more_are_told() {
        let (mut tape, exchanges) = tape("server-0.8.0_sdk-0.10.0/empty.pcap");
        let poll = exchanges.iter().find(|one| one.poll().is_some()).unwrap();
        let mut told = 0;
        for count in 0..=u32::try_from(TAPE_TOLD).unwrap() {
            let mut other = Exchange::clone(poll);
            if let Content::Binary(content) = &mut other.content
                && let Some(Request::PollMessages(poll)) = &mut content.request
            {
                poll.count = 1_000 + count;
            }
            let answer = tape.answer(&other);
            told += usize::from(matches!(answer, Answer::Missing { is_new: true, .. }));
        }
        assert_eq!(told, TAPE_TOLD);
        assert_eq!(tape.served().missing, TAPE_TOLD as u64 + 1);
    }
}
