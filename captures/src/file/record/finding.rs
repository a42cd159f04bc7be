use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::activity::{Occurrences, SlotsRecord};
use crate::catalog;
use crate::finding::{Finding, FindingCode};

/// A finding, as far as it was known when this was written.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::file) struct FindingRecord {
    code: String,
    place: String,
    exchanges: Vec<u64>,
    evidence: Vec<String>,
    count: u64,
    first: Timestamp,
    last: Timestamp,
    /// Where it was seen more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    occurrences: Option<SlotsRecord<u64>>,
    muted_by: Option<String>,
}

impl From<&Finding> for FindingRecord {
    fn from(finding: &Finding) -> Self {
        Self {
            code: finding.code.to_string(),
            place: finding.place.clone(),
            exchanges: finding.exchanges.clone(),
            evidence: finding.evidence.clone(),
            count: finding.count,
            first: finding.first,
            last: finding.last,
            occurrences: (finding.count > 1).then(|| finding.occurrences.record()),
            muted_by: finding.muted.as_deref().map(str::to_owned),
        }
    }
}

impl FindingRecord {
    /// The finding.
    ///
    /// # Errors
    /// The code that is not known.
    pub(in crate::file) fn read(self) -> Result<Finding, String> {
        let occurrences = self.occurrences.as_ref().map(Occurrences::read);
        let mut finding = Finding {
            code: code(&self.code)?,
            place: self.place,
            exchanges: self.exchanges,
            evidence: self.evidence,
            count: self.count,
            first: self.first,
            last: self.last,
            occurrences: occurrences.unwrap_or_default(),
            muted: self.muted_by.map(Into::into),
        };
        if finding.count == 1 {
            finding.note_occurrences(&[]);
        }
        Ok(finding)
    }
}

/// The finding that is called so, like `PX102`.
pub(super) fn code(name: &str) -> Result<FindingCode, String> {
    let mut codes = catalog::all().map(|entry| entry.code);
    codes
        .find(|code| code.to_string() == name)
        .ok_or_else(|| format!("no known finding is called {name:?}"))
}
