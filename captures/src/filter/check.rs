//! Whether a value fits a field, and which value it is.

use jiff::Timestamp;

use super::field::{Field, FieldKind};
use super::lexis::Written;
use super::literal::{Literal, Number, UNITS};

/// Nanoseconds of the microsecond in which durations are without a unit.
const MICROSECOND: u128 = 1_000;

/// The value to compare `field` with; `ordered`: by `<` and the like.
///
/// # Errors
/// A sentence that says why it does not fit, and what does.
pub(super) fn literal(
    field: &Field,
    written: &Written<'_>,
    ordered: bool,
) -> Result<Literal, String> {
    let (path, kind) = (field.path(), field.kind());
    if *written == Written::Word("null") && !ordered {
        return Ok(Literal::Null);
    }
    if kind == FieldKind::Group {
        return Err(format!("{path} has fields within it: compare one of them"));
    }
    if ordered && matches!(kind, FieldKind::Flag | FieldKind::Text | FieldKind::Word(_)) {
        return Err(format!(
            "{path} is a {}: only numbers, durations and times are less or greater",
            kind.name()
        ));
    }
    let literal = match written {
        Written::Word("null") => return Err("nothing is less than null".to_owned()),
        Written::Word(word) => bare(field, word)?,
        Written::Quoted(text) => in_quotes(field, text)?,
        Written::Figure(figure) => in_figures(field, figure)?,
    };
    if ordered && matches!(literal, Literal::Text(_) | Literal::Flag(_)) {
        return Err("only numbers, durations and times are less or greater".to_owned());
    }
    Ok(literal)
}

/// The text that `operator` looks for in `field`.
///
/// # Errors
/// A sentence that says why it does not fit.
pub(super) fn text(field: &Field, operator: &str, written: Written<'_>) -> Result<String, String> {
    let (path, kind) = (field.path(), field.kind());
    let has_text = matches!(
        kind,
        FieldKind::Any | FieldKind::Identifier | FieldKind::Text | FieldKind::Word(_)
    );
    match written {
        _ if kind == FieldKind::Group => {
            Err(format!("{path} has fields within it: name one of them"))
        }
        _ if !has_text => Err(format!(
            "{path} is a {}: {operator} is for text",
            kind.name()
        )),
        Written::Quoted(text) => Ok(text),
        Written::Word(word) if matches!(kind, FieldKind::Word(_)) => Ok(word.to_owned()),
        Written::Word(other) | Written::Figure(other) => {
            Err(format!("text is written in quotes: \"{other}\""))
        }
    }
}

fn bare(field: &Field, word: &str) -> Result<Literal, String> {
    match (field.kind(), word) {
        (FieldKind::Word(words), _) => words.find(word).map(Literal::Text),
        (FieldKind::Flag | FieldKind::Any, "true") => Ok(Literal::Flag(true)),
        (FieldKind::Flag | FieldKind::Any, "false") => Ok(Literal::Flag(false)),
        (FieldKind::Text | FieldKind::Identifier | FieldKind::Any, _) => {
            Err(format!("text is written in quotes: \"{word}\""))
        }
        _ => Err(misfit(field, word)),
    }
}

fn in_quotes(field: &Field, text: &str) -> Result<Literal, String> {
    match field.kind() {
        FieldKind::Word(words) => words.find(text).map(Literal::Text),
        FieldKind::Text | FieldKind::Identifier | FieldKind::Any => {
            Ok(Literal::Text(text.to_owned()))
        }
        FieldKind::Time | FieldKind::Timestamp => time(text),
        // As it is in JSON where JavaScript would round it.
        FieldKind::Number if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            number(text)
        }
        _ => Err(misfit(field, text)),
    }
}

fn in_figures(field: &Field, figure: &str) -> Result<Literal, String> {
    match field.kind() {
        FieldKind::Number | FieldKind::Identifier | FieldKind::Any => number(figure),
        FieldKind::Duration => duration(figure),
        FieldKind::Timestamp if figure.bytes().all(|b| b.is_ascii_digit()) => number(figure),
        FieldKind::Time | FieldKind::Timestamp => time(figure),
        FieldKind::Word(words) => words.find(figure).map(Literal::Text),
        FieldKind::Text => Err(format!("text is written in quotes: \"{figure}\"")),
        FieldKind::Flag | FieldKind::Group => Err(misfit(field, figure)),
    }
}

fn misfit(field: &Field, written: &str) -> String {
    let expected = match field.kind() {
        FieldKind::Number => "a number, like 4100",
        FieldKind::Duration => "a duration, like 5ms, or a number of microseconds",
        FieldKind::Time => "a time, like 2026-11-30T07:05:05Z",
        FieldKind::Timestamp => "a time, like 2026-11-30T07:05:05Z, or microseconds since 1970",
        FieldKind::Flag => "true or false",
        _ => "something else",
    };
    let written: String = written.chars().take(40).collect();
    format!("{} is {expected}, not {written}", field.path())
}

fn number(figure: &str) -> Result<Literal, String> {
    decimal(figure)
        .map(Literal::Number)
        .ok_or_else(|| format!("{figure} is no number with at most 128 bits"))
}

fn decimal(figure: &str) -> Option<Number> {
    let (whole, fraction) = figure.split_once('.').unwrap_or((figure, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits(whole) && digits(fraction) {
        Number::parse(whole, fraction)
    } else {
        None
    }
}

fn duration(figure: &str) -> Result<Literal, String> {
    let unit_at = figure.find(|c: char| c.is_alphabetic());
    let (count, unit) = figure.split_at(unit_at.unwrap_or(figure.len()));
    let known = UNITS
        .iter()
        .find(|(name, _)| *name == unit || (*name == "us" && unit == "µs"));
    let unit = match known {
        Some((_, nanoseconds)) => *nanoseconds,
        None if unit.is_empty() => MICROSECOND,
        None => {
            return Err(format!(
                "a duration is in ns, us, ms, s, m or h, not {unit}"
            ));
        }
    };
    let Some(count) = decimal(count) else {
        return Err(format!("{figure} is no duration; one is written like 5ms"));
    };
    let whole = count.times(unit).map(Literal::Duration);
    whole.ok_or_else(|| format!("{figure} is no whole number of nanoseconds, or too long"))
}

fn time(text: &str) -> Result<Literal, String> {
    let parsed = text.parse::<Timestamp>().map(Literal::Time);
    parsed.map_err(|_| "a time is written like 2026-11-30T07:05:05Z".to_owned())
}
