//! The file that noise rules stand in: one a line.
//!
//! ```text
//! # a reason, for the rules below it
//! response.messages[*].payload
//! get_stats: *                    # or a reason of its own; only of this command
//! ```

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use parallax_codec::COMMANDS;

use super::rules::Rule;
use crate::glob::Glob;
use crate::limits::{IGNORE_FILE_BYTES, IGNORE_RULES};

/// Why a file of noise rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// It cannot be read.
    #[error("cannot read the noise rules in {file}: {source}")]
    Unreadable {
        /// Its name.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// It is longer than any list of rules.
    #[error("{file} is no file of noise rules: it is longer than {IGNORE_FILE_BYTES} bytes")]
    TooLong {
        /// Its name.
        file: String,
    },
    /// A rule that cannot be understood.
    #[error("{file}, line {line}, column {column}: {what}")]
    Rule {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// What is wrong there, and what to do.
        what: String,
    },
}

/// The text of a file of rules.
pub(super) fn text_of(path: &Path) -> Result<String, RulesError> {
    let file = path.display().to_string();
    let unreadable = |source| RulesError::Unreadable {
        file: file.clone(),
        source,
    };
    let opened = std::fs::File::open(path).map_err(unreadable)?;
    let mut text = String::new();
    let mut limited = opened.take(IGNORE_FILE_BYTES + 1);
    let length = limited.read_to_string(&mut text).map_err(unreadable)?;
    if length as u64 > IGNORE_FILE_BYTES {
        return Err(RulesError::TooLong { file });
    }
    Ok(text)
}

/// The rules of a text; of the program itself where there is no file.
pub(super) fn parse(file: Option<&str>, text: &str) -> Result<Vec<Rule>, RulesError> {
    let name: Arc<str> = file.unwrap_or("built-in").into();
    let mut rules = Vec::new();
    let mut above: Vec<&str> = Vec::new();
    let mut is_comment_over = true;
    for (number, line) in (1..).zip(text.lines()) {
        let (rule, comment) = line
            .split_once('#')
            .map_or((line, None), |(rule, comment)| (rule, Some(comment.trim())));
        if rule.trim().is_empty() {
            // Comments that stand together are one reason, for the rules below them.
            if is_comment_over && comment.is_some() {
                above.clear();
            }
            above.extend(comment);
            is_comment_over = comment.is_none();
            continue;
        }
        is_comment_over = true;
        let wrong = |at: usize, what: String| RulesError::Rule {
            file: name.to_string(),
            line: number,
            column: 1 + line[..at].chars().count(),
            what,
        };
        if file.is_some() && rules.len() >= IGNORE_RULES {
            let what = format!("more than {IGNORE_RULES} rules; let a * stand for several");
            return Err(wrong(0, what));
        }
        let because = comment.map_or_else(|| above.join(" "), ToOwned::to_owned);
        let (commands, field) = parts(rule).map_err(|(at, what)| wrong(at, what))?;
        rules.push(Rule {
            commands: commands.map(Glob::new),
            field: Glob::new(field),
            text: rule.trim().to_owned(),
            because: because.into(),
            place: file.map(|_| (Arc::clone(&name), number)),
        });
    }
    Ok(rules)
}

/// The commands and the field of a rule, or where it is wrong, in bytes, and how.
fn parts(rule: &str) -> Result<(Option<&str>, &str), (usize, String)> {
    let (commands, field) = match rule.split_once(':') {
        Some((commands, field)) => (Some(commands), field),
        None => (None, rule),
    };
    let begins = |part: &str| part.len() - part.trim_start().len();
    if let Some(commands) = commands {
        let at = begins(commands);
        let named = commands.trim();
        let is_known = |name: &str| Glob::new(named).matches(name);
        let others = ["http_request", "eviction", "unmatched_reply"];
        let is_any = COMMANDS.iter().any(|command| is_known(command.name))
            || others.into_iter().any(is_known)
            || named.starts_with("unknown_");
        if !is_any {
            return Err((
                at,
                format!(
                    "no command is called {named:?}; they are those of `inspect`, * for any text"
                ),
            ));
        }
    }
    let start = rule.len() - field.len();
    let at = start + begins(field);
    let path = field.trim();
    let odd = path.char_indices().find(|(_, letter)| {
        !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '[' | ']' | '*' | '-'))
    });
    if let Some((odd, letter)) = odd {
        return Err((
            at + odd,
            format!("{letter:?} stands in no field's path; one rule a line"),
        ));
    }
    let first = path.split(['.', '[']).next().unwrap_or_default();
    let is_root = |root: &str| Glob::new(first).matches(root);
    if path.is_empty() || !ROOTS.iter().any(|root| is_root(root)) {
        let what = format!(
            "a rule is a field's path, or a command, a colon and a path: {path:?} begins with \
             none of {}",
            ROOTS.join(", ")
        );
        return Err((at, what));
    }
    Ok((commands.map(str::trim), path))
}

/// What a path begins with.
const ROOTS: [&str; 6] = [
    "request",
    "request_header",
    "response",
    "response_header",
    "status",
    "undecoded",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(Some(".parallaxignore"), text)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn what_cannot_be_understood_is_told_with_line_and_column() {
        for (text, place, said) in [
            (
                "\n  messages[*].id\n",
                "line 2, column 3",
                "begins with none of request",
            ),
            (
                "get_stat: *",
                "line 1, column 1",
                "no command is called \"get_stat\"",
            ),
            (
                "get_stats:",
                "line 1, column 11",
                "a rule is a field's path",
            ),
            (
                "get_stats: response response",
                "line 1, column 20",
                "one rule a line",
            ),
            (
                "# \u{e9}\u{e9}\n\u{e9}: *",
                "line 2, column 1",
                "no command",
            ),
        ] {
            let error = error(text);
            assert!(error.contains(place), "{text:?}: {error}");
            assert!(error.contains(said), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_rule_has_the_comment_behind_it_or_else_the_one_above_as_its_reason() {
        let text = "# one\n# reason\nstatus\nresponse # another\n\n# third\n\nrequest\n";
        let rules = parse(Some("rules"), text).unwrap();
        let reasons: Vec<&str> = rules.iter().map(Rule::because).collect();
        assert_eq!(reasons, ["one reason", "another", "third"]);
    }

    #[test]
    fn every_built_in_rule_can_be_read_and_has_a_reason() {
        let rules = super::super::Rules::built_in();
        assert!(rules.len() > 20);
        assert!(rules.all().all(|rule| !rule.because().is_empty()));
    }

    #[test]
    fn one_rule_too_many_is_refused() {
        let full = "status\n".repeat(IGNORE_RULES);
        assert_eq!(parse(Some("rules"), &full).unwrap().len(), IGNORE_RULES);
        let error = error(&format!("{full}status\n"));
        assert!(
            error.contains(&format!("line {}", IGNORE_RULES + 1)),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_is_not_there_or_too_long_is_named() {
        let missing = text_of(Path::new("no-such.parallaxignore")).unwrap_err();
        assert!(missing.to_string().contains("no-such.parallaxignore"));
        let path = std::env::temp_dir().join(format!("parallaxignore-{}", std::process::id()));
        let long = usize::try_from(IGNORE_FILE_BYTES).unwrap() + 1;
        std::fs::write(&path, vec![b'#'; long]).unwrap();
        let error = text_of(&path).unwrap_err().to_string();
        std::fs::remove_file(&path).unwrap();
        assert!(error.contains("longer than"), "{error}");
    }
}
