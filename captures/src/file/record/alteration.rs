use serde::{Deserialize, Serialize};

use crate::alteration::{Alteration, ServerAnswer};

/// What parallax did to an exchange in its path.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AlterationRecord {
    injected: Option<String>,
    rewritten: Option<String>,
    answered_otherwise: bool,
    server_answer: Option<ServerAnswerRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ServerAnswerRecord {
    status: Option<u32>,
    body_length: u64,
}

impl From<&Alteration> for AlterationRecord {
    fn from(alteration: &Alteration) -> Self {
        Self {
            injected: alteration.injected.clone(),
            rewritten: alteration.rewritten.clone(),
            answered_otherwise: alteration.answered_otherwise,
            server_answer: alteration.server_answer.map(|answer| ServerAnswerRecord {
                status: answer.status,
                body_length: answer.body_length,
            }),
        }
    }
}

impl From<AlterationRecord> for Alteration {
    fn from(record: AlterationRecord) -> Self {
        Self {
            injected: record.injected,
            rewritten: record.rewritten,
            answered_otherwise: record.answered_otherwise,
            server_answer: record.server_answer.map(|answer| ServerAnswer {
                status: answer.status,
                body_length: answer.body_length,
            }),
        }
    }
}
