use std::io::{self, Write, stdout};

use anyhow::{Context as _, bail};
use clap::Args;
use parallax_captures::FindingCode;
use parallax_captures::catalog::{self, Description};
use parallax_captures::filter::{FIELDS, FieldEntry, FieldKind};
use serde_json::json;

use super::Outcome;

/// Print what a finding means, how it is recognised and what to do; or what can be asked
/// for in a filter.
#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// The finding, e.g. PX101, or "filters" for the fields of --where. Without one: the
    /// list of all findings.
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
    if wanted == "filters" {
        print_filters(&mut out, arguments.json)?;
        return Ok(Outcome::NothingFound);
    }
    let entry = find(wanted)?;
    if arguments.json {
        writeln!(out, "{}", json(entry))?;
    } else {
        write!(out, "{}", text(entry))?;
    }
    Ok(Outcome::NothingFound)
}

fn print_filters(out: &mut impl Write, json: bool) -> io::Result<()> {
    if json {
        return FIELDS
            .iter()
            .try_for_each(|entry| writeln!(out, "{}", entry.json()));
    }
    write!(out, "{FILTERS}")?;
    FIELDS.iter().try_for_each(|entry| print_field(out, entry))
}

const FILTERS: &str = "\
A filter joins conditions on the fields of an exchange by and, or, not (&& || !) and parentheses.

  status == 4100            == != < <= > >= compare; == and != minds case
  verdict in {agree, stale} one of them
  topic contains \"metr\"     text within text, in the same case
  topic matches \"^metr\"     a regular expression, in any case unless it says (?-i)
  auto_commit               a field alone: it has a value, and not false

Words stand as they are (first, PX104), text in quotes, durations have a unit (5ms), times are
RFC 3339. What an exchange does not have, or is null, fits no condition but == null. Of several values
(a poll's messages) one is enough; for != all must differ.

Any other field of the request, response or comparison that inspect --json prints can be named by its
path. The usual ones, with their short names:

";

fn print_field(out: &mut impl Write, entry: &FieldEntry) -> io::Result<()> {
    let short = entry.short.map(|short| format!(" or {short}"));
    writeln!(out, "{}{}", entry.path, short.unwrap_or_default())?;
    writeln!(out, "  {} ({})", entry.meaning, entry.kind.name())?;
    match entry.kind {
        FieldKind::Word(words) if words.all().len() <= 8 => {
            writeln!(out, "  {}", words.all().join(", "))?;
        }
        _ => {}
    }
    writeln!(out, "  {}", entry.example)
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
