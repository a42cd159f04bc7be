use std::net::SocketAddr;

use bytes::Bytes;
use parallax_codec::messages::UserHeader;
use parallax_codec::vsr;

use super::names::Names;
use super::sentence::sentence;
use super::target::target;
use super::{Redaction, body, frame};
use crate::alteration::Alteration;
use crate::annotation::Annotation;
use crate::connection::{Connection, Dialect, Undecoded};
use crate::decoding;
use crate::exchange::{BinaryContent, Content, Exchange, HttpContent};
use crate::finding::Finding;
use crate::http_poll::parse_target;
use crate::poll::{PollAnswer, PolledMessage, UserHeaders};
use crate::route::RouteName;
use crate::verdict::{
    AskedAgain, Difference, HttpRefusal, MirrorAnswer, MirrorOutcome, TcpAnswer, TcpOutcome,
    Verdict,
};

/// Replaces what is not to leave, the same by the same.
///
/// Names in sentences are those that were met before, so an exchange goes through it
/// before what is said of it: in the order of the capture. Memory is bounded by
/// [`ANONYMIZED_NAMES`](crate::limits::ANONYMIZED_NAMES).
#[derive(Debug)]
pub struct Redactor {
    redaction: Redaction,
    names: Names,
}

impl Redactor {
    /// One with a key of its own.
    pub fn new(redaction: Redaction) -> Self {
        Self {
            redaction,
            names: Names::default(),
        }
    }

    /// What it replaces.
    pub const fn redaction(&self) -> Redaction {
        self.redaction
    }

    /// Names that got an alias which another has as well: of one or two bytes there are
    /// few.
    pub const fn shared_aliases(&self) -> u64 {
        self.names.shared()
    }

    /// The exchange as it may leave.
    pub fn exchange(&mut self, exchange: &Exchange) -> Exchange {
        let content = match &exchange.content {
            Content::Binary(content) => Content::Binary(self.binary(exchange, content)),
            Content::Http(content) => Content::Http(self.http(content)),
            // A header alone, which holds numbers.
            Content::Unsolicited(content) => Content::Unsolicited(content.clone()),
        };
        Exchange {
            content,
            undecoded: self.undecoded(exchange.undecoded.as_ref()),
            verdict: exchange.verdict.as_ref().map(|one| self.verdict(one)),
            findings: exchange.findings.clone(),
            muted_findings: exchange.muted_findings.clone(),
            route: self.route(exchange.route.as_ref()),
            annotation: Annotation {
                marked: exchange.annotation.marked,
                comment: self.comment(&exchange.annotation.comment),
            },
            altered: exchange
                .altered
                .as_deref()
                .map(|one| self.altered(one).into()),
            ..*exchange
        }
    }

    fn altered(&mut self, altered: &Alteration) -> Alteration {
        if self.redaction == Redaction::Payloads {
            return altered.clone();
        }
        let mut told = |text: &Option<String>| {
            let text = text.as_ref()?;
            Some(sentence(&mut self.names, text))
        };
        Alteration {
            injected: told(&altered.injected),
            rewritten: told(&altered.rewritten),
            ..*altered
        }
    }

    /// The connection as it may leave.
    pub fn connection(&mut self, connection: &Connection) -> Connection {
        if self.redaction == Redaction::Payloads {
            return connection.clone();
        }
        let route = self.route(connection.route.as_ref());
        let names = &mut self.names;
        let mut words = |text: &Option<String>| text.as_ref().map(|text| names.words(text));
        let client_version = words(&connection.client_version);
        let server_version = words(&connection.server_version);
        let user = connection.user.as_ref().map(|user| names.name(user));
        let closed = connection.closed.as_ref();
        let mut tls = connection.tls.clone();
        for name in tls.iter_mut().flat_map(|tls| tls.server_names()) {
            *name = names.host(name);
        }
        Connection {
            route,
            client: names.socket(connection.client),
            server: names.socket(connection.server),
            closed: closed.map(|(time, why)| (*time, sentence(names, why))),
            user,
            client_version,
            server_version,
            undecoded: self.undecoded(connection.undecoded.as_ref()),
            tls,
            ..connection.clone()
        }
    }

    /// The finding as it may leave.
    pub fn finding(&mut self, finding: &Finding) -> Finding {
        Finding {
            place: self.sentence(&finding.place),
            evidence: finding
                .evidence
                .iter()
                .map(|one| self.sentence(one))
                .collect(),
            muted: finding.muted.as_ref().map(|rule| self.rule(rule)),
            exchanges: finding.exchanges.clone(),
            occurrences: finding.occurrences.clone(),
            ..*finding
        }
    }

    /// The name of a host as it may leave.
    pub fn name(&mut self, name: &str) -> String {
        match self.redaction {
            Redaction::Payloads => name.to_owned(),
            Redaction::Names => self.names.name(name),
        }
    }

    /// An address as it may leave.
    pub fn address(&mut self, address: SocketAddr) -> SocketAddr {
        match self.redaction {
            Redaction::Payloads => address,
            Redaction::Names => self.names.socket(address),
        }
    }

    /// Another name of as many letters can be a route's too.
    fn route(&mut self, route: Option<&RouteName>) -> Option<RouteName> {
        RouteName::new(&self.name(route?.as_str())).ok()
    }

    fn binary(&mut self, exchange: &Exchange, content: &BinaryContent) -> BinaryContent {
        let header_size = match exchange.dialect {
            Dialect::Vsr => vsr::HEADER_SIZE,
            Dialect::Classic | Dialect::Http => parallax_codec::classic::FRAME_HEADER_SIZE,
        };
        let fields = exchange.request_fields();
        let asked = &content.request_frame;
        let request = frame::frame(&mut self.names, self.redaction, asked, header_size, &fields);
        let fields = exchange.reply_fields();
        let answered = &content.reply_frame;
        let reply = frame::frame(
            &mut self.names,
            self.redaction,
            answered,
            header_size,
            &fields,
        );
        let (mut request, mut reply) = (Bytes::from(request), Bytes::from(reply));
        if exchange.dialect == Dialect::Vsr {
            (request, reply) = vsr::restamped(&request, &reply);
        }
        let kept = decoding::kept(exchange.dialect, request, reply, content.status);
        // What could be decoded before can be still: nothing but texts and contents of
        // the same length is different.
        kept.unwrap_or_else(|_| content.clone())
    }

    fn http(&mut self, content: &HttpContent) -> HttpContent {
        let target = self.target(&content.target);
        let mut body = |body: &Bytes| {
            if body.is_empty() {
                return Bytes::new();
            }
            body::body(&mut self.names, self.redaction, body).into()
        };
        let request_body = body(&content.request_body);
        let response_body = body(&content.response_body);
        let answer = content.answer.as_ref().map(|answer| match answer {
            Ok(answer) => Ok(self.answer(answer)),
            Err(refusal) => Err(self.refusal(refusal)),
        });
        HttpContent {
            method: content.method.clone(),
            poll: content.poll.as_ref().and_then(|_| parse_target(&target)),
            target,
            http_status: content.http_status,
            request_body,
            response_body,
            answer,
        }
    }

    fn verdict(&mut self, verdict: &Verdict) -> Verdict {
        let answers = verdict.answers.iter();
        let again = verdict.asked_again.as_deref();
        Verdict {
            kind: verdict.kind,
            answers: answers.map(|one| self.mirror_answer(one)).collect(),
            asked_again: again.map(|again| Box::new(self.again(again))),
            reason: self.unquoted(&verdict.reason),
            basis: self.sentence(&verdict.basis),
            differences: self.differences(&verdict.differences),
            known: verdict.known.clone(),
            muted: verdict.muted.as_ref().map(|rule| self.rule(rule)),
        }
    }

    fn again(&mut self, again: &AskedAgain) -> AskedAgain {
        AskedAgain {
            kind: again.kind,
            tcp_before: self.tcp_answers(&again.tcp_before),
            answers: again
                .answers
                .iter()
                .map(|one| self.mirror_answer(one))
                .collect(),
            tcp_after: self.tcp_answers(&again.tcp_after),
            reason: self.unquoted(&again.reason),
            differences: self.differences(&again.differences),
        }
    }

    fn mirror_answer(&mut self, answer: &MirrorAnswer) -> MirrorAnswer {
        MirrorAnswer {
            target: self.target(&answer.target),
            outcome: match &answer.outcome {
                MirrorOutcome::Answered(answer) => MirrorOutcome::Answered(self.answer(answer)),
                MirrorOutcome::Stored(stored) => MirrorOutcome::Stored(*stored),
                MirrorOutcome::Refused(refusal) => MirrorOutcome::Refused(self.refusal(refusal)),
                MirrorOutcome::Failed(why) => MirrorOutcome::Failed(self.unquoted(why)),
            },
            ..*answer
        }
    }

    fn tcp_answers(&mut self, answers: &[TcpAnswer]) -> Vec<TcpAnswer> {
        let told = answers.iter().map(|answer| TcpAnswer {
            outcome: match &answer.outcome {
                TcpOutcome::Answered(answer) => TcpOutcome::Answered(self.answer(answer)),
                TcpOutcome::Refused(code) => TcpOutcome::Refused(*code),
            },
            ..*answer
        });
        told.collect()
    }

    fn answer(&mut self, answer: &PollAnswer) -> PollAnswer {
        PollAnswer {
            messages: answer
                .messages
                .iter()
                .map(|one| self.message(one))
                .collect(),
            ..*answer
        }
    }

    fn message(&self, message: &PolledMessage) -> PolledMessage {
        let key = self.names.key();
        let header = |header: &UserHeader| {
            let mut header = header.clone();
            header.value.bytes = key.content(&header.value.bytes);
            if self.redaction == Redaction::Names {
                header.key.bytes = key.content(&header.key.bytes);
            }
            header
        };
        PolledMessage {
            checksum: key.number(message.checksum),
            payload: key.content(&message.payload).into(),
            user_headers: match &message.user_headers {
                UserHeaders::Decoded(all) => UserHeaders::Decoded(all.iter().map(header).collect()),
                UserHeaders::Opaque(bytes) => UserHeaders::Opaque(key.content(bytes).into()),
            },
            ..*message
        }
    }

    fn differences(&mut self, differences: &[Difference]) -> Vec<Difference> {
        let told = differences.iter().map(|one| Difference {
            field: one.field.clone(),
            tcp: self.differing(&one.field, &one.tcp),
            http: self.differing(&one.field, &one.http),
        });
        told.collect()
    }

    /// What one side said of a field.
    fn differing(&mut self, field: &str, said: &str) -> String {
        let key = self.names.key();
        match field.rsplit('.').next() {
            Some("payload") => match said.rsplit_once(": ") {
                Some((place, quoted)) => format!("{place}: {}", key.content_text(quoted)),
                None => key.content_text(said),
            },
            // `none`, `3 bytes that are no headers`, or keys and values.
            Some("user_headers") if said.contains('=') => key.content_text(said),
            Some("checksum") => {
                let number = said.parse().map(|number| key.number(number).to_string());
                number.unwrap_or_else(|_| said.to_owned())
            }
            _ => self.sentence(said),
        }
    }

    fn refusal(&mut self, refusal: &HttpRefusal) -> HttpRefusal {
        HttpRefusal {
            reason: self.sentence(&refusal.reason),
            ..*refusal
        }
    }

    fn undecoded(&mut self, undecoded: Option<&Undecoded>) -> Option<Undecoded> {
        undecoded.map(|undecoded| Undecoded {
            why: self.sentence(&undecoded.why),
            ..*undecoded
        })
    }

    fn target(&mut self, text: &str) -> String {
        match self.redaction {
            Redaction::Payloads => text.to_owned(),
            Redaction::Names => target(&mut self.names, text),
        }
    }

    /// A sentence that may quote a body that nobody could read: what is quoted is
    /// replaced.
    fn unquoted(&mut self, text: &str) -> String {
        let (first, last) = (text.find('"'), text.rfind('"'));
        let (Some(first), Some(last)) = (first, last) else {
            return self.sentence(text);
        };
        let quoted = text.get(first + 1..last).unwrap_or_default();
        let quoted = self.names.key().content_text(quoted);
        let (before, after) = (
            self.sentence(&text[..first]),
            self.sentence(&text[last + 1..]),
        );
        format!("{before}\"{quoted}\"{after}")
    }

    fn sentence(&mut self, text: &str) -> String {
        match self.redaction {
            Redaction::Payloads => text.to_owned(),
            Redaction::Names => sentence(&mut self.names, text),
        }
    }

    /// What somebody wrote may hold names that nobody knows.
    fn comment(&self, comment: &str) -> String {
        match self.redaction {
            Redaction::Payloads => comment.to_owned(),
            Redaction::Names if comment.is_empty() => String::new(),
            Redaction::Names => "(left out)".to_owned(),
        }
    }

    /// A rule that mutes: whose file it stands in and why is somebody's own.
    fn rule(&self, rule: &std::sync::Arc<str>) -> std::sync::Arc<str> {
        match self.redaction {
            Redaction::Payloads => rule.clone(),
            Redaction::Names => "a rule".into(),
        }
    }
}
