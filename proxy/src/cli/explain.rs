use std::io::{Write as _, stdout};

use anyhow::{Context as _, bail};
use clap::Args;
use parallax_captures::FindingCode;
use parallax_captures::catalog::{self, Description};
use serde_json::json;

use super::Outcome;

/// Print what a finding means, how it is recognised and what to do.
#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// The finding, e.g. PX101. Without one: the list of all.
    finding: Option<String>,
    /// One JSON value a line.
    #[arg(long)]
    json: bool,
}

pub(super) fn explain(arguments: &ExplainArguments) -> anyhow::Result<Outcome> {
    let mut out = stdout().lock();
    let Some(wanted) = &arguments.finding else {
        for entry in catalog::all() {
            if arguments.json {
                writeln!(out, "{}", json(entry))?;
            } else {
                let severity = entry.severity.name();
                writeln!(out, "{}  {severity:<7}  {}", entry.code, entry.title)?;
            }
        }
        return Ok(Outcome::NothingFound);
    };
    let entry = find(wanted)?;
    if arguments.json {
        writeln!(out, "{}", json(entry))?;
    } else {
        write!(out, "{}", text(entry))?;
    }
    Ok(Outcome::NothingFound)
}

fn find(wanted: &str) -> anyhow::Result<&'static Description> {
    let digits = wanted
        .trim_start_matches(['P', 'p'])
        .trim_start_matches(['X', 'x']);
    let number = digits.parse().ok().with_context(|| {
        format!("{wanted:?} is no finding: they are PX and three digits, e.g. PX101")
    })?;
    let Some(entry) = catalog::find(FindingCode(number)) else {
        let known: Vec<_> = catalog::all().map(|entry| entry.code.to_string()).collect();
        bail!(
            "there is no finding {wanted}; this version has {}",
            known.join(", ")
        );
    };
    Ok(entry)
}

fn text(entry: &Description) -> String {
    format!(
        "{} ({}): {}\n\nWhat it means\n  {}\n\nHow it is recognised\n  {}\n\nWhat to do\n  {}\n\n\
         What it is not\n  {}\n",
        entry.code,
        entry.severity.name(),
        entry.title,
        entry.meaning,
        entry.recognised_by,
        entry.what_to_do,
        entry.not_to_be_confused_with,
    )
}

fn json(entry: &Description) -> serde_json::Value {
    json!({
        "code": entry.code.to_string(),
        "title": entry.title,
        "severity": entry.severity.name(),
        "meaning": entry.meaning,
        "recognised_by": entry.recognised_by,
        "what_to_do": entry.what_to_do,
        "not_to_be_confused_with": entry.not_to_be_confused_with,
    })
}
