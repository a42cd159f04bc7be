//! Faults at their place in the relay.

use std::sync::Arc;

use parallax_captures::{FaultInForce, RouteName};
use parallax_codec::Request;

use super::empty_poll;
use super::refusal::refusal;
use super::rule::{Action, Fault};
use crate::relay::in_path::{
    Decision, Interceptor, Interest, Mark, MarkKind, RequestFrame, ToClient, ToServer,
};

/// Injects the faults of one route.
#[derive(Debug)]
pub struct Injector {
    faults: Vec<(Fault, Arc<FaultInForce>)>,
}

impl Injector {
    /// One that injects these into what passes on the route with this name.
    pub fn new(route: Option<&RouteName>, faults: impl IntoIterator<Item = Fault>) -> Self {
        let counted = |fault: Fault| {
            let count = FaultInForce::new(route.cloned(), fault.to_string());
            (fault, Arc::new(count))
        };
        Self {
            faults: faults.into_iter().map(counted).collect(),
        }
    }

    /// What is being injected, and how often it was.
    pub fn in_force(&self) -> impl Iterator<Item = Arc<FaultInForce>> {
        self.faults.iter().map(|(_, count)| Arc::clone(count))
    }
}

impl Interceptor for Injector {
    fn interest(&self, request: &RequestFrame) -> Interest {
        let code = request.code();
        let faults = self.faults.iter().filter(|(fault, _)| fault.is_of(code));
        let interests = faults.map(|(fault, _)| {
            let is_told_by_body = code.is_none() || fault.action == Action::Empty;
            if is_told_by_body || !fault.place.is_anywhere() {
                Interest::Whole
            } else {
                Interest::Header
            }
        });
        interests.max().unwrap_or(Interest::Nothing)
    }

    /// All faults that are due are injected. Of two errors the later holds; with an error
    /// the server gives no answer that could be emptied.
    fn decide(&self, request: &RequestFrame) -> Decision {
        let code = request.code();
        let read = |body| Request::decode(request.dialect, code?, body).ok();
        let asked = request.body.as_ref().and_then(read);
        let mut decision = Decision::default();
        let is_error = |fault: &Fault| matches!(fault.action, Action::Error(_));
        let errors = self
            .faults
            .iter()
            .rev()
            .filter(|(fault, _)| is_error(fault));
        let others = self.faults.iter().filter(|(fault, _)| !is_error(fault));
        for (fault, count) in errors.chain(others) {
            let is_answered = matches!(decision.to_server, ToServer::Answer(_));
            if is_answered && matches!(fault.action, Action::Error(_) | Action::Empty) {
                continue;
            }
            let is_there = match &asked {
                Some(asked) => fault.place.has(asked),
                None => fault.place.is_anywhere(),
            };
            if fault.is_of(code) && is_there && fault.due.next(count) {
                let injected = Mark {
                    kind: MarkKind::Injected,
                    what: count.rule().to_owned(),
                };
                decision = decision.and(inject(fault.action, request, asked.as_ref(), injected));
            }
        }
        decision
    }
}

fn inject(action: Action, request: &RequestFrame, asked: Option<&Request>, mark: Mark) -> Decision {
    let mut decision = match action {
        Action::Empty => return empty_poll::decision(request, asked, mark),
        Action::Error(error) => Decision {
            to_server: ToServer::Answer(refusal(request, error)),
            ..Decision::default()
        },
        Action::Delay(delay) => Decision {
            delay,
            ..Decision::default()
        },
        Action::Cut(count) => Decision {
            to_client: ToClient::CutAfter(count),
            ..Decision::default()
        },
        Action::Drop => Decision {
            to_client: ToClient::Drop,
            ..Decision::default()
        },
    };
    decision.marks.push(mark);
    decision
}
