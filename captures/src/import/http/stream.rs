//! Requests and responses of one stream, paired.

use std::collections::VecDeque;

use jiff::Timestamp;
use parallax_codec::classic::Direction;

use super::exchange::{BodyBuilder, HttpExchange};
use super::head::Head;
use super::message::{Messages, Part};
use super::secrets;
use crate::import::reassembly::{StreamEvent, StreamEventKind};
use crate::limits::MAX_HTTP_WAITING;

/// Reads the HTTP/1.1 exchanges of one stream.
pub struct HttpStream {
    requests: Messages,
    responses: Messages,
    /// Requests whose response is not whole yet, the oldest first.
    waiting: VecDeque<Waiting>,
    /// The last of `waiting` is still being sent.
    sending: bool,
    /// The response to the first of `waiting`, while it comes in.
    answering: Option<Answer>,
    /// Responses to come whose requests were given up.
    given_up: usize,
    counts: HttpCounts,
    ready: Vec<HttpExchange>,
}

/// What did not become part of an exchange.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HttpCounts {
    /// Bytes that belong to no message, because the capture lacks what came
    /// before, or because they are not HTTP.
    pub passed_over: u64,
    /// Responses whose request is not in the capture.
    pub unpaired_responses: u64,
    /// Requests given out without their response, because too many waited.
    pub given_up: u64,
}

struct Waiting {
    time: Timestamp,
    method: String,
    target: String,
    authorized: bool,
    keeps_bodies: bool,
    body: BodyBuilder,
    ended: Option<Timestamp>,
}

struct Answer {
    began: Timestamp,
    status: u16,
    content_type: Option<String>,
    body: BodyBuilder,
    /// 100 Continue and its like: the real response follows.
    interim: bool,
    /// Nobody waits for it.
    unpaired: bool,
}

impl HttpStream {
    /// A stream of which nothing was seen yet.
    pub fn new() -> Self {
        Self {
            requests: Messages::new(Direction::ToServer),
            responses: Messages::new(Direction::ToClient),
            waiting: VecDeque::new(),
            sending: false,
            answering: None,
            given_up: 0,
            counts: HttpCounts::default(),
            ready: Vec::new(),
        }
    }

    /// Takes in what happened on the stream, and gives out the exchanges that
    /// are at their end, in the order of the requests.
    pub fn push(&mut self, event: &StreamEvent) -> Vec<HttpExchange> {
        let time = event.time;
        match &event.kind {
            StreamEventKind::Opened { .. } => {}
            StreamEventKind::Bytes { direction, bytes } => self.bytes(*direction, time, bytes),
            StreamEventKind::Gap { direction, length } => self.gap(*direction, time, *length),
            StreamEventKind::HalfClosed { direction } => self.close(*direction, time),
            StreamEventKind::Closed { .. } => {
                self.close(Direction::ToServer, time);
                self.close(Direction::ToClient, time);
                self.give_out_waiting(0);
            }
        }
        std::mem::take(&mut self.ready)
    }

    /// When the first byte was captured of what has not become an exchange yet.
    pub fn untold_since(&self) -> Option<Timestamp> {
        let waiting = self.waiting.front().map(|first| first.time);
        waiting.or_else(|| self.requests.head_began())
    }

    /// What did not become part of an exchange so far.
    pub const fn counts(&self) -> HttpCounts {
        self.counts
    }

    fn bytes(&mut self, direction: Direction, time: Timestamp, bytes: &[u8]) {
        match direction {
            Direction::ToServer => {
                self.counts.passed_over += self.requests.feed(time, bytes) as u64;
                while let Some(part) = self.requests.next(false) {
                    self.request_part(part, time);
                }
            }
            Direction::ToClient => {
                let was_lost = self.responses.is_lost();
                self.counts.passed_over += self.responses.feed(time, bytes) as u64;
                if was_lost && !self.responses.is_lost() {
                    // Whoever waited before the last was answered in the gap.
                    self.give_out_waiting(1);
                }
                while let Some(part) = self.responses.next(self.to_head()) {
                    self.response_part(part, time);
                }
            }
        }
    }

    fn gap(&mut self, direction: Direction, time: Timestamp, length: u64) {
        match direction {
            Direction::ToServer => {
                if !self.requests.skip(length) {
                    self.request_part(Part::Lost, time);
                } else if let Some(waiting) = self.sent_now() {
                    waiting.body.missing(length);
                }
            }
            Direction::ToClient => {
                if !self.responses.skip(length) {
                    self.response_part(Part::Lost, time);
                } else if let Some(answer) = &mut self.answering {
                    answer.body.missing(length);
                }
            }
        }
        // A body may end with the gap.
        self.bytes(direction, time, &[]);
    }

    fn close(&mut self, direction: Direction, time: Timestamp) {
        match direction {
            Direction::ToServer => {
                if let Some(part) = self.requests.close() {
                    self.request_part(part, time);
                }
            }
            Direction::ToClient => {
                if let Some(part) = self.responses.close() {
                    self.response_part(part, time);
                }
            }
        }
    }

    fn request_part(&mut self, part: Part, time: Timestamp) {
        match part {
            Part::Head(
                began,
                Head::Request {
                    method,
                    target,
                    authorized,
                },
            ) => {
                let keeps_bodies = secrets::may_keep_bodies(&target);
                self.waiting.push_back(Waiting {
                    time: began,
                    method,
                    target: secrets::strike_out(&target),
                    authorized,
                    keeps_bodies,
                    body: BodyBuilder::new(keeps_bodies),
                    ended: None,
                });
                self.sending = true;
                self.bound_waiting();
            }
            Part::Head(_, Head::Response { .. }) | Part::Lost => self.sending = false,
            Part::Body(bytes) => {
                if let Some(waiting) = self.sent_now() {
                    waiting.body.push(&bytes);
                }
            }
            Part::End => {
                if let Some(waiting) = self.sent_now() {
                    waiting.ended = Some(time);
                }
                self.sending = false;
            }
        }
    }

    fn response_part(&mut self, part: Part, time: Timestamp) {
        match part {
            Part::Head(
                began,
                Head::Response {
                    status,
                    content_type,
                },
            ) => self.begin_answer(began, status, content_type),
            Part::Head(_, Head::Request { .. }) => {}
            Part::Body(bytes) => {
                if let Some(answer) = &mut self.answering {
                    answer.body.push(&bytes);
                }
            }
            Part::End => {
                if let Some(answer) = self.answering.take()
                    && !answer.interim
                {
                    self.answered(answer, Some(time));
                }
            }
            Part::Lost => {
                if let Some(answer) = self.answering.take() {
                    self.answered(answer, None);
                }
                self.give_out_waiting(0);
            }
        }
    }

    fn begin_answer(&mut self, began: Timestamp, status: u16, content_type: Option<String>) {
        let interim = (100..200).contains(&status) && status != 101;
        let unpaired = self.given_up > 0 || self.waiting.is_empty();
        let keeps = self.waiting.front().is_some_and(|first| first.keeps_bodies);
        // Errors are described in the body. Where it may repeat a secret, its
        // reader keeps the error's number alone.
        let body = BodyBuilder::new(!unpaired && (keeps || status >= 400));
        self.answering = Some(Answer {
            began,
            status,
            content_type,
            body,
            interim,
            unpaired,
        });
        if status == 101
            && let Some(answer) = self.answering.take()
        {
            self.answered(answer, None);
        }
    }

    /// The response to the first request that waits is at its end; `time`: when
    /// its last byte came, none when it is not whole.
    fn answered(&mut self, answer: Answer, time: Option<Timestamp>) {
        if answer.unpaired {
            self.given_up = self.given_up.saturating_sub(1);
            self.counts.unpaired_responses += 1;
            return;
        }
        if let Some(first) = self.waiting.pop_front() {
            self.sending &= !self.waiting.is_empty();
            self.ready.push(first.finish(Some(answer), time));
        }
    }

    /// Gives out all but the last `keep` requests that wait, without a response.
    fn give_out_waiting(&mut self, keep: usize) {
        while self.waiting.len() > keep {
            if let Some(first) = self.waiting.pop_front() {
                self.ready.push(first.finish(None, None));
            }
        }
        self.sending &= !self.waiting.is_empty();
    }

    fn bound_waiting(&mut self) {
        if self.waiting.len() > MAX_HTTP_WAITING {
            self.give_out_waiting(MAX_HTTP_WAITING);
            self.given_up += 1;
            self.counts.given_up += 1;
        }
    }

    /// The request whose body comes in.
    fn sent_now(&mut self) -> Option<&mut Waiting> {
        self.waiting.back_mut().filter(|_| self.sending)
    }

    /// Whether the next response answers a `HEAD`, and so has no body.
    fn to_head(&self) -> bool {
        let next = self.waiting.front().filter(|_| self.given_up == 0);
        next.is_some_and(|first| first.method == "HEAD")
    }
}

impl Default for HttpStream {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for HttpStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpStream")
            .field("waiting", &self.waiting.len())
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl Waiting {
    fn finish(self, answer: Option<Answer>, ended: Option<Timestamp>) -> HttpExchange {
        let gaps = self.body.gaps || answer.as_ref().is_some_and(|answer| answer.body.gaps);
        let response_began = answer.as_ref().map(|answer| answer.began);
        let (status, content_type, body) = answer.map_or_else(
            || (None, None, BodyBuilder::default()),
            |answer| (Some(answer.status), answer.content_type, answer.body),
        );
        HttpExchange {
            time: self.time,
            request_ended: self.ended,
            response_began,
            response_ended: ended,
            method: self.method,
            target: self.target,
            authorized: self.authorized,
            request_body: self.body.build(),
            status,
            content_type,
            response_body: body.build(),
            complete: self.ended.is_some() && ended.is_some() && !gaps,
        }
    }
}
