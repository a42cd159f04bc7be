//! Names, signs and values as they are written.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, multispace0, satisfy};
use nom::combinator::{not, opt, peek, recognize};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::{pair, preceded, terminated};
use nom::{IResult, Parser};

use super::expression::Comparison;

/// What a parser makes of the rest of an expression.
pub(super) type Step<'a, T> = IResult<&'a str, T, Fault>;

/// What is wrong, and how many bytes before the end.
#[derive(Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) left: usize,
    pub(super) message: String,
}

impl ParseError<&str> for Fault {
    fn from_error_kind(input: &str, _: ErrorKind) -> Self {
        Self {
            left: input.len(),
            message: "this is not understood".to_owned(),
        }
    }

    fn append(_: &str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// That `message` is so at the beginning of `at`, for good.
pub(super) fn wrong<T>(at: &str, message: impl Into<String>) -> Step<'_, T> {
    Err(nom::Err::Failure(Fault {
        left: at.len(),
        message: message.into(),
    }))
}

/// Skips spaces.
pub(super) fn space(input: &str) -> &str {
    input.trim_start()
}

/// A name, keyword or word.
pub(super) fn name(input: &str) -> Step<'_, &str> {
    let first = satisfy(|c| c.is_ascii_alphabetic() || c == '_');
    recognize(pair(first, take_while(in_name))).parse(input)
}

fn in_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.')
}

fn keyword<'a>(word: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Fault> {
    terminated(tag(word), not(peek(satisfy(in_name))))
}

fn spaced<'a, O>(
    inner: impl Parser<&'a str, Output = O, Error = Fault>,
) -> impl Parser<&'a str, Output = O, Error = Fault> {
    preceded(multispace0, inner)
}

pub(super) fn and(input: &str) -> Step<'_, &str> {
    spaced(alt((keyword("and"), tag("&&")))).parse(input)
}

pub(super) fn or(input: &str) -> Step<'_, &str> {
    spaced(alt((keyword("or"), tag("||")))).parse(input)
}

pub(super) fn negation(input: &str) -> Step<'_, &str> {
    let sign = terminated(tag("!"), not(peek(char('='))));
    spaced(alt((keyword("not"), sign))).parse(input)
}

/// One character, after spaces.
pub(super) fn sign(wanted: char) -> impl Fn(&str) -> Step<'_, char> {
    move |input| spaced(char(wanted)).parse(input)
}

/// What stands between a field and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Compare(Comparison),
    In,
    Contains,
    Matches,
}

/// The operator that begins here, `None` where none does.
pub(super) fn operator(input: &str) -> Step<'_, Option<Operator>> {
    let rest = space(input);
    for comparison in Comparison::ALL {
        if let Some(rest) = rest.strip_prefix(comparison.sign()) {
            return Ok((rest, Some(Operator::Compare(comparison))));
        }
    }
    if rest.starts_with('=') {
        return wrong(rest, "write == to compare");
    }
    if rest.starts_with('~') {
        return wrong(rest, "write matches to compare with a regular expression");
    }
    let words = [
        ("in", Operator::In),
        ("contains", Operator::Contains),
        ("matches", Operator::Matches),
    ];
    for (word, operator) in words {
        if let (rest, Some(_)) = opt(keyword(word)).parse(rest)? {
            return Ok((rest, Some(operator)));
        }
    }
    Ok((input, None))
}

/// A value as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Written<'a> {
    /// In quotes, which are gone, as are escapes.
    Quoted(String),
    /// Begins with a digit: a number, a duration, a time.
    Figure(&'a str),
    /// A name.
    Word(&'a str),
}

/// A value. What begins here if none does is said.
pub(super) fn written(input: &str) -> Step<'_, Written<'_>> {
    let at = space(input);
    match at.chars().next() {
        Some(quote @ ('"' | '\'')) => quoted(at, quote),
        Some('0'..='9') => take_while1(|c: char| in_name(c) || matches!(c, '+' | '-' | ':' | 'µ'))
            .map(Written::Figure)
            .parse(at),
        Some('-') => wrong(at, "no field is less than 0"),
        None => wrong(
            at,
            "a value is expected at the end, like 4100 or \"metrics\"",
        ),
        Some(_) => match name(at) {
            Ok((rest, word)) => Ok((rest, Written::Word(word))),
            Err(_) => wrong(at, "a value is expected here, like 4100 or \"metrics\""),
        },
    }
}

/// Text up to the same quote. A backslash escapes a quote and itself; before
/// anything else it stands for itself, as regular expressions need it.
fn quoted(at: &str, quote: char) -> Step<'_, Written<'_>> {
    let mut text = String::new();
    let mut characters = at.char_indices().skip(1).peekable();
    while let Some((index, character)) = characters.next() {
        if character == quote {
            let rest = at.get(index + 1..).unwrap_or_default();
            return Ok((rest, Written::Quoted(text)));
        }
        let escaped =
            characters.next_if(|(_, next)| character == '\\' && matches!(next, '\\' | '"' | '\''));
        text.push(escaped.map_or(character, |(_, escaped)| escaped));
    }
    wrong(at, "this quote is never closed")
}
