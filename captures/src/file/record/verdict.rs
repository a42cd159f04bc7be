use std::time::Duration;

use jiff::Timestamp;
use parallax_codec::ErrorCode;
use parallax_codec::primitives::PollingKind;
use serde::{Deserialize, Serialize};

use super::answer::AnswerRecord;
use super::number;
use crate::known::{KNOWN_DIFFERENCES, KnownDifference};
use crate::poll::PolledMessage;
use crate::verdict::{
    AskedAgain, AskedBy, AskedTimes, Difference, HttpRefusal, MirrorAnswer, MirrorOutcome,
    StoredOffset, TcpAnswer, TcpOutcome, Verdict, VerdictKind,
};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct VerdictRecord {
    kind: String,
    reason: String,
    basis: String,
    differences: Vec<[String; 3]>,
    answers: Vec<MirrorRecord>,
    asked_again: Option<Box<AgainRecord>>,
    known: Vec<String>,
    muted_by: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct AgainRecord {
    kind: String,
    reason: String,
    differences: Vec<[String; 3]>,
    tcp_before: Vec<TcpRecord>,
    answers: Vec<MirrorRecord>,
    tcp_after: Vec<TcpRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
struct MirrorRecord {
    /// The exchange of the same capture that asked; none where the mirror did.
    captured: Option<u64>,
    partition_id: Option<u32>,
    target: String,
    latency_ns: Option<u64>,
    /// Files of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    times: Option<TimesRecord>,
    outcome: MirrorOutcomeRecord,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MirrorOutcomeRecord {
    Answered(AnswerRecord),
    Stored(Option<StoredRecord>),
    Refused(RefusalRecord),
    Failed(String),
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredRecord {
    partition_id: u32,
    #[serde(with = "number")]
    current_offset: u64,
    #[serde(with = "number")]
    stored_offset: u64,
}

/// A refusal by HTTP.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RefusalRecord {
    http_status: u16,
    code: Option<u32>,
    reason: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct TcpRecord {
    partition_id: u32,
    strategy: String,
    #[serde(with = "number")]
    value: u64,
    latency_ns: u64,
    /// Files of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    times: Option<TimesRecord>,
    outcome: TcpOutcomeRecord,
}

#[derive(Debug, Serialize, Deserialize)]
struct TimesRecord {
    asked: Timestamp,
    answered: Timestamp,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TcpOutcomeRecord {
    Answered(AnswerRecord),
    Refused(u32),
}

impl VerdictRecord {
    /// `own` are the messages of the client's reply.
    pub(super) fn of(verdict: &Verdict, own: &[PolledMessage]) -> Self {
        let answers = verdict.answers.iter();
        let again = verdict.asked_again.as_deref();
        Self {
            kind: verdict.kind.name().to_owned(),
            reason: verdict.reason.clone(),
            basis: verdict.basis.clone(),
            differences: verdict.differences.iter().map(difference).collect(),
            answers: answers.map(|one| MirrorRecord::of(one, own)).collect(),
            asked_again: again.map(|again| Box::new(AgainRecord::of(again, own))),
            known: verdict.known.iter().map(|one| one.id.to_owned()).collect(),
            muted_by: verdict.muted.as_deref().map(str::to_owned),
        }
    }

    /// The same without what HTTP and TCP answered: those have no bound.
    pub(super) fn without_answers(verdict: &Verdict) -> Self {
        let left_out = "The answers were too long for one record and are left out of this file.";
        let verdict = Verdict {
            basis: format!("{} {left_out}", verdict.basis),
            answers: Vec::new(),
            asked_again: None,
            ..verdict.clone()
        };
        Self::of(&verdict, &[])
    }

    pub(super) fn read(self, own: &[PolledMessage]) -> Result<Verdict, String> {
        let answers = self.answers.into_iter().map(|one| one.read(own));
        let again = self.asked_again.map(|again| again.read(own));
        let known = self.known.iter().map(|id| known(id));
        Ok(Verdict {
            kind: kind(&self.kind)?,
            reason: self.reason,
            basis: self.basis,
            differences: self.differences.into_iter().map(read_difference).collect(),
            answers: answers.collect::<Result<_, _>>()?,
            asked_again: again.transpose()?.map(Box::new),
            known: known.collect::<Result<_, _>>()?,
            muted: self.muted_by.map(Into::into),
        })
    }
}

impl AgainRecord {
    fn of(again: &AskedAgain, own: &[PolledMessage]) -> Self {
        let tcp = |all: &[TcpAnswer]| all.iter().map(|one| TcpRecord::of(one, own)).collect();
        let answers = again.answers.iter();
        Self {
            kind: again.kind.name().to_owned(),
            reason: again.reason.clone(),
            differences: again.differences.iter().map(difference).collect(),
            tcp_before: tcp(&again.tcp_before),
            answers: answers.map(|one| MirrorRecord::of(one, own)).collect(),
            tcp_after: tcp(&again.tcp_after),
        }
    }

    fn read(self, own: &[PolledMessage]) -> Result<AskedAgain, String> {
        let tcp = |all: Vec<TcpRecord>| {
            let read = all.into_iter().map(|one| one.read(own));
            read.collect::<Result<_, _>>()
        };
        let answers = self.answers.into_iter().map(|one| one.read(own));
        Ok(AskedAgain {
            kind: kind(&self.kind)?,
            reason: self.reason,
            differences: self.differences.into_iter().map(read_difference).collect(),
            tcp_before: tcp(self.tcp_before)?,
            answers: answers.collect::<Result<_, _>>()?,
            tcp_after: tcp(self.tcp_after)?,
        })
    }
}

impl MirrorRecord {
    fn of(answer: &MirrorAnswer, own: &[PolledMessage]) -> Self {
        let outcome = match &answer.outcome {
            MirrorOutcome::Answered(answer) => {
                MirrorOutcomeRecord::Answered(AnswerRecord::of(answer, own))
            }
            MirrorOutcome::Stored(stored) => {
                MirrorOutcomeRecord::Stored(stored.map(|stored| StoredRecord {
                    partition_id: stored.partition_id,
                    current_offset: stored.current_offset,
                    stored_offset: stored.stored_offset,
                }))
            }
            MirrorOutcome::Refused(refusal) => MirrorOutcomeRecord::Refused(refusal.into()),
            MirrorOutcome::Failed(why) => MirrorOutcomeRecord::Failed(why.clone()),
        };
        Self {
            captured: match answer.asked_by {
                AskedBy::Mirror => None,
                AskedBy::Capture(n) => Some(n),
            },
            partition_id: answer.partition_id,
            target: answer.target.clone(),
            latency_ns: answer.latency.map(nanoseconds),
            times: answer.times.map(TimesRecord::from),
            outcome,
        }
    }

    fn read(self, own: &[PolledMessage]) -> Result<MirrorAnswer, String> {
        let outcome = match self.outcome {
            MirrorOutcomeRecord::Answered(answer) => MirrorOutcome::Answered(answer.read(own)?),
            MirrorOutcomeRecord::Stored(stored) => {
                MirrorOutcome::Stored(stored.map(|stored| StoredOffset {
                    partition_id: stored.partition_id,
                    current_offset: stored.current_offset,
                    stored_offset: stored.stored_offset,
                }))
            }
            MirrorOutcomeRecord::Refused(refusal) => MirrorOutcome::Refused(refusal.into()),
            MirrorOutcomeRecord::Failed(why) => MirrorOutcome::Failed(why),
        };
        Ok(MirrorAnswer {
            asked_by: self.captured.map_or(AskedBy::Mirror, AskedBy::Capture),
            partition_id: self.partition_id,
            target: self.target,
            latency: self.latency_ns.map(Duration::from_nanos),
            times: self.times.map(AskedTimes::from),
            outcome,
        })
    }
}

impl TcpRecord {
    fn of(answer: &TcpAnswer, own: &[PolledMessage]) -> Self {
        Self {
            partition_id: answer.partition_id,
            strategy: answer.strategy.name().to_owned(),
            value: answer.value,
            latency_ns: nanoseconds(answer.latency),
            times: answer.times.map(TimesRecord::from),
            outcome: match &answer.outcome {
                TcpOutcome::Answered(answer) => {
                    TcpOutcomeRecord::Answered(AnswerRecord::of(answer, own))
                }
                TcpOutcome::Refused(code) => TcpOutcomeRecord::Refused(code.0),
            },
        }
    }

    fn read(self, own: &[PolledMessage]) -> Result<TcpAnswer, String> {
        let mut kinds = PollingKind::ALL.into_iter();
        let strategy = kinds.find(|kind| kind.name() == self.strategy);
        Ok(TcpAnswer {
            partition_id: self.partition_id,
            strategy: strategy
                .ok_or_else(|| format!("no known strategy is called {:?}", self.strategy))?,
            value: self.value,
            latency: Duration::from_nanos(self.latency_ns),
            times: self.times.map(AskedTimes::from),
            outcome: match self.outcome {
                TcpOutcomeRecord::Answered(answer) => TcpOutcome::Answered(answer.read(own)?),
                TcpOutcomeRecord::Refused(code) => TcpOutcome::Refused(ErrorCode(code)),
            },
        })
    }
}

impl From<AskedTimes> for TimesRecord {
    fn from(times: AskedTimes) -> Self {
        let AskedTimes { asked, answered } = times;
        Self { asked, answered }
    }
}

impl From<TimesRecord> for AskedTimes {
    fn from(record: TimesRecord) -> Self {
        let TimesRecord { asked, answered } = record;
        Self { asked, answered }
    }
}

impl From<&HttpRefusal> for RefusalRecord {
    fn from(refusal: &HttpRefusal) -> Self {
        Self {
            http_status: refusal.http_status,
            code: refusal.code.map(|code| code.0),
            reason: refusal.reason.clone(),
        }
    }
}

impl From<RefusalRecord> for HttpRefusal {
    fn from(record: RefusalRecord) -> Self {
        Self {
            http_status: record.http_status,
            code: record.code.map(ErrorCode),
            reason: record.reason,
        }
    }
}

fn difference(difference: &Difference) -> [String; 3] {
    let Difference { field, tcp, http } = difference.clone();
    [field, tcp, http]
}

fn read_difference([field, tcp, http]: [String; 3]) -> Difference {
    Difference { field, tcp, http }
}

fn nanoseconds(latency: Duration) -> u64 {
    u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX)
}

fn kind(name: &str) -> Result<VerdictKind, String> {
    let mut all = VerdictKind::ALL.into_iter();
    all.find(|kind| kind.name() == name)
        .ok_or_else(|| format!("no known verdict is called {name:?}"))
}

fn known(id: &str) -> Result<&'static KnownDifference, String> {
    let mut all = KNOWN_DIFFERENCES.iter().copied();
    all.find(|known| known.id == id)
        .ok_or_else(|| format!("no known difference is called {id:?}"))
}
