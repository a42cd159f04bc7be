//! From text to an expression.
//!
//! ```text
//! alternatives = conjunction ("or" conjunction)*
//! conjunction  = negated ("and" negated)*
//! negated      = "not" negated | "(" alternatives ")" | condition
//! condition    = field
//!              | field ("==" | "!=" | "<" | "<=" | ">" | ">=") value
//!              | field "in" ("{" value ("," value)* "}" | "(" value ("," value)* ")")
//!              | field ("contains" | "matches") text
//! ```

use std::cell::Cell;

use super::check::{literal, text};
use super::error::FilterError;
use super::expression::{Expression, Pattern};
use super::field::Field;
use super::lexis::{
    Operator, Step, and, name, negation, operator, or, sign, space, written, wrong,
};
use super::literal::Literal;
use crate::limits::{FILTER_BYTES, FILTER_CONDITIONS, FILTER_DEPTH, FILTER_PATTERNS};

impl std::str::FromStr for Expression {
    type Err = FilterError;

    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong, and at which character.
    fn from_str(input: &str) -> Result<Self, FilterError> {
        if input.len() > FILTER_BYTES {
            let message = format!("a filter has at most {FILTER_BYTES} bytes");
            let end = (0..=FILTER_BYTES)
                .rev()
                .find(|at| input.is_char_boundary(*at));
            return Err(FilterError::new(input, end.unwrap_or_default(), message));
        }
        let reader = Reader::default();
        match whole(&reader, input) {
            Ok((_, expression)) => Ok(expression),
            Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => {
                let at = input.len().saturating_sub(fault.left);
                Err(FilterError::new(input, at, fault.message))
            }
            Err(nom::Err::Incomplete(_)) => Err(FilterError::new(
                input,
                input.len(),
                "the filter ends too early",
            )),
        }
    }
}

/// Counts what the limits allow.
#[derive(Default)]
struct Reader {
    conditions: Cell<usize>,
    patterns: Cell<usize>,
}

impl Reader {
    fn count<'a>(&self, at: &'a str) -> Step<'a, ()> {
        self.conditions.set(self.conditions.get() + 1);
        if self.conditions.get() > FILTER_CONDITIONS {
            let message = format!("a filter has at most {FILTER_CONDITIONS} conditions and values");
            return wrong(at, message);
        }
        Ok((at, ()))
    }

    fn pattern<'a>(&self, at: &'a str, text: String) -> Step<'a, Pattern> {
        self.patterns.set(self.patterns.get() + 1);
        if self.patterns.get() > FILTER_PATTERNS {
            let message = format!("a filter has at most {FILTER_PATTERNS} regular expressions");
            return wrong(at, message);
        }
        match Pattern::new(text) {
            Ok(pattern) => Ok((at, pattern)),
            Err(message) => wrong(at, message),
        }
    }
}

fn whole<'a>(reader: &Reader, input: &'a str) -> Step<'a, Expression> {
    let (rest, expression) = alternatives(reader, 0, input)?;
    let rest = space(rest);
    match rest.chars().next() {
        None => Ok((rest, expression)),
        Some(')') => wrong(rest, "this ) closes nothing"),
        Some(_) => wrong(rest, "and, or, or a comparison like == is expected here"),
    }
}

fn alternatives<'a>(reader: &Reader, depth: usize, input: &'a str) -> Step<'a, Expression> {
    let operand = |input| conjunction(reader, depth, input);
    joined(operand, or, Expression::Or, input)
}

fn conjunction<'a>(reader: &Reader, depth: usize, input: &'a str) -> Step<'a, Expression> {
    let operand = |input| negated(reader, depth, input);
    joined(operand, and, Expression::And, input)
}

fn joined<'a>(
    operand: impl Fn(&'a str) -> Step<'a, Expression>,
    sign: fn(&str) -> Step<'_, &str>,
    join: fn(Vec<Expression>) -> Expression,
    input: &'a str,
) -> Step<'a, Expression> {
    let (mut rest, first) = operand(input)?;
    let mut more = Vec::new();
    while let Ok((after, _)) = sign(rest) {
        let (after, next) = operand(after)?;
        more.push(next);
        rest = after;
    }
    if more.is_empty() {
        return Ok((rest, first));
    }
    more.insert(0, first);
    Ok((rest, join(more)))
}

fn negated<'a>(reader: &Reader, depth: usize, input: &'a str) -> Step<'a, Expression> {
    let at = space(input);
    if depth > FILTER_DEPTH {
        let message = format!("a filter is at most {FILTER_DEPTH} parentheses and nots deep");
        return wrong(at, message);
    }
    if let Ok((rest, _)) = negation(at) {
        let (rest, inner) = negated(reader, depth + 1, rest)?;
        return Ok((rest, Expression::Not(Box::new(inner))));
    }
    if let Ok((rest, _)) = sign('(')(at) {
        let (rest, inner) = alternatives(reader, depth + 1, rest)?;
        return match sign(')')(rest) {
            Ok((rest, _)) => Ok((rest, inner)),
            Err(_) if space(rest).is_empty() => wrong(at, "this ( is never closed"),
            Err(_) => wrong(space(rest), "and, or, a comparison or ) is expected here"),
        };
    }
    condition(reader, at)
}

fn condition<'a>(reader: &Reader, at: &'a str) -> Step<'a, Expression> {
    let (rest, field) = field(at)?;
    let (rest, operator) = operator(rest)?;
    reader.count(at)?;
    match operator {
        None => {
            if let Ok((_, sign)) = negation(rest) {
                let message = format!("write {sign} before the field: {sign} {} ...", field.path());
                return wrong(space(rest), message);
            }
            Ok((rest, Expression::Present(field)))
        }
        Some(Operator::Compare(comparison)) => {
            let at = space(rest);
            let (rest, value) = written(at)?;
            match literal(&field, &value, comparison.is_order()) {
                Ok(literal) => Ok((rest, Expression::Compare(field, comparison, literal))),
                Err(message) => wrong(at, message),
            }
        }
        Some(Operator::In) => {
            let (rest, literals) = set(reader, &field, rest)?;
            Ok((rest, Expression::OneOf(field, literals)))
        }
        Some(Operator::Contains) => {
            let (rest, (_, part)) = quoted(&field, "contains", rest)?;
            Ok((rest, Expression::Contains(field, part)))
        }
        Some(Operator::Matches) => {
            let (rest, (at, part)) = quoted(&field, "matches", rest)?;
            let (_, pattern) = reader.pattern(at, part)?;
            Ok((rest, Expression::Matches(field, pattern)))
        }
    }
}

fn field(at: &str) -> Step<'_, Field> {
    let Ok((rest, found)) = name(at) else {
        return wrong(
            at,
            match at.chars().next() {
                None => "a field is expected at the end, like status",
                Some('0'..='9' | '"' | '\'') => "the field comes first: status == 4100",
                Some(_) => "a field is expected here, like status",
            },
        );
    };
    if matches!(found, "and" | "or" | "in" | "contains" | "matches") {
        return wrong(
            at,
            format!("a field is expected before {found}, like status"),
        );
    }
    match Field::find(found) {
        Ok(field) => Ok((rest, field)),
        Err(message) => wrong(at, message),
    }
}

/// The text after `contains` or `matches`, and where it stands.
fn quoted<'a>(field: &Field, operator: &str, rest: &'a str) -> Step<'a, (&'a str, String)> {
    let at = space(rest);
    let (rest, value) = written(at)?;
    match text(field, operator, value) {
        Ok(text) => Ok((rest, (at, text))),
        Err(message) => wrong(at, message),
    }
}

fn set<'a>(reader: &Reader, field: &Field, input: &'a str) -> Step<'a, Vec<Literal>> {
    let at = space(input);
    let (mut rest, close) = match (sign('{')(at), sign('(')(at)) {
        (Ok((rest, _)), _) => (rest, '}'),
        (_, Ok((rest, _))) => (rest, ')'),
        _ => return wrong(at, "a set is expected after in, like {4100, 5006}"),
    };
    let mut literals = Vec::new();
    loop {
        let at = space(rest);
        reader.count(at)?;
        let (after, value) = written(at)?;
        match literal(field, &value, false) {
            Ok(literal) => literals.push(literal),
            Err(message) => return wrong(at, message),
        }
        if let Ok((after, _)) = sign(',')(after) {
            rest = after;
        } else if let Ok((after, _)) = sign(close)(after) {
            return Ok((after, literals));
        } else {
            return wrong(space(after), format!("a comma or {close} is expected here"));
        }
    }
}
