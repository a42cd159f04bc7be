use std::io::{Write as _, stdout};

use parallax_codec::Dialect;
use serde_json::json;

use crate::standin::Fault;

/// Prints the faults, one a line, under a heading where it is for people: each with the case
/// that users reported, by its number, and the finding that shows it, if one does.
pub(super) fn print_faults(as_json: bool) -> std::io::Result<()> {
    let mut out = stdout().lock();
    let names = Fault::ALL.map(|fault| fault.description().name.len());
    let width = names.into_iter().max().unwrap_or_default();
    if !as_json {
        writeln!(
            out,
            "{:<width$}  {:<6}  {:<5}  {:<12}  WHAT IS BROKEN",
            "FAULT", "CASE", "SHOWS", "DIALECTS"
        )?;
    }
    for fault in Fault::ALL {
        let it = fault.description();
        let finding = it.finding.map(|code| code.to_string());
        if as_json {
            let dialects = it.dialects.iter().map(|dialect| name_of(*dialect));
            let value = json!({
                "name": it.name,
                "summary": it.summary,
                "case": it.case,
                "finding": finding,
                "dialects": dialects.collect::<Vec<_>>(),
            });
            writeln!(out, "{value}")?;
        } else {
            let dialects = names_of(it.dialects);
            let finding = finding.unwrap_or_default();
            let (name, case, summary) = (it.name, it.case, it.summary);
            writeln!(
                out,
                "{name:<width$}  {case:<6}  {finding:<5}  {dialects:<12}  {summary}"
            )?;
        }
    }
    Ok(())
}

/// Dialects in words.
pub(super) fn names_of(dialects: &[Dialect]) -> String {
    let names = dialects.iter().map(|dialect| name_of(*dialect));
    names.collect::<Vec<_>>().join(", ")
}

const fn name_of(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Classic => "classic",
        Dialect::Vsr => "vsr",
    }
}
