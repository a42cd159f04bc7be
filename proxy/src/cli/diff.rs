use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use parallax_captures::difference::{CaptureSide, Comparer, Counted, Row, Scope, compare_captures};

use super::ignore::IgnoreArguments;
use super::{Outcome, complain, is_broken_pipe};
use crate::offline::{Reading, read_capture};
use crate::report::difference::{
    counted_json, fields_json, fields_lines, row_json, row_lines, unused_json, unused_lines,
};

/// Compare two captures: yesterday's server with today's, one SDK with another.
///
/// Connections are matched by user, SDK and the order of their first use, exchanges by
/// what they ask, so that one more in between moves none of the others. What must differ
/// by its nature (times, numbers of sessions) is not told; a file `.parallaxignore`
/// beside the captures names what else is not.
///
/// Exits 0 when nothing differs, 1 when something does, 2 when a capture could not be
/// read to its end.
#[derive(Debug, Args)]
pub(super) struct DiffArguments {
    /// A capture: pcap or pcapng.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The one to compare it with.
    #[arg(value_name = "B")]
    b: PathBuf,
    #[command(flatten)]
    ignore: IgnoreArguments,
    /// One JSON value a line.
    #[arg(long)]
    json: bool,
}

pub(super) fn diff(arguments: &DiffArguments) -> anyhow::Result<Outcome> {
    let rules = arguments.ignore.rules(&[&arguments.a, &arguments.b])?;
    let (a, b) = (read(&arguments.a)?, read(&arguments.b)?);
    let mut comparer = Comparer::new(&rules, Scope::Whole);
    let mut out = stdout().lock();
    let mut written = Ok(());
    let tell = |row: Row<'_>| {
        if written.is_ok() {
            written = if arguments.json {
                writeln!(out, "{}", row_json(&row))
            } else {
                write!(out, "{}", row_lines(&row))
            };
        }
    };
    let counted = compare_captures(side(&a), side(&b), &rules, &mut comparer, tell);
    let written = written
        .map_err(anyhow::Error::new)
        .and_then(|()| finish(&mut out, counted, &comparer, arguments.json));
    match written {
        Err(error) if !is_broken_pipe(&error) => return Err(error),
        _ => {}
    }
    let damaged = [(&arguments.a, a.damage), (&arguments.b, b.damage)];
    let mut outcome = if counted.is_different() {
        Outcome::Found
    } else {
        Outcome::NothingFound
    };
    for (path, damage) in damaged {
        if let Some(damage) = damage {
            complain(&anyhow::Error::new(damage).context(format!("{} is damaged", path.display())));
            outcome = Outcome::Incomplete;
        }
    }
    Ok(outcome)
}

/// A capture; what could not be decoded in it is said.
fn read(path: &Path) -> anyhow::Result<Reading> {
    let reading = read_capture(path).with_context(|| format!("cannot read {}", path.display()))?;
    for note in &reading.notes {
        let _ = writeln!(std::io::stderr(), "parallax: {}: {note}", path.display());
    }
    Ok(reading)
}

fn side(reading: &Reading) -> CaptureSide<'_> {
    CaptureSide {
        exchanges: &reading.exchanges,
        connections: &reading.connections,
    }
}

fn finish(
    out: &mut impl Write,
    counted: Counted,
    comparer: &Comparer<'_>,
    json: bool,
) -> anyhow::Result<()> {
    if json {
        write!(out, "{}{}", fields_json(comparer), unused_json(comparer))?;
        writeln!(out, "{}", counted_json(counted, comparer))?;
        return Ok(());
    }
    write!(out, "{}", fields_lines(comparer))?;
    writeln!(
        out,
        "{} pairs equal, {} differ in {} fields; {} only in A, {} only in B; {} differences ignored",
        counted.equal,
        counted.differing,
        counted.differences,
        counted.only_in_a,
        counted.only_in_b,
        comparer.hidden(),
    )?;
    write!(out, "{}", unused_lines(comparer))?;
    Ok(())
}
