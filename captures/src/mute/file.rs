//! The file that rules stand in.

use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::{Code, Mutes, Rule};
use crate::catalog;
use crate::glob::Glob;
use crate::limits::{MUTE_FILE_BYTES, MUTE_RULES};
use crate::verdict::VerdictKind;

/// Why a file of rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MuteError {
    /// It cannot be read.
    #[error("cannot read the mute file {file}: {source}")]
    Unreadable {
        /// Its name.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// It is longer than any list of rules.
    #[error("{file} is no mute file: it is longer than {MUTE_FILE_BYTES} bytes")]
    TooLong {
        /// Its name.
        file: String,
    },
    /// A rule that cannot be understood.
    #[error("{file}, line {line}: {what}")]
    Rule {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong there, and what to do.
        what: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    mute: Vec<Spanned<RawRule>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    codes: Vec<Spanned<String>>,
    stream: Option<String>,
    topic: Option<String>,
    partition: Option<u32>,
    consumer: Option<String>,
    field: Option<String>,
    because: Option<String>,
}

pub(super) fn read(path: &Path) -> Result<Mutes, MuteError> {
    let file = path.display().to_string();
    let unreadable = |source| MuteError::Unreadable {
        file: file.clone(),
        source,
    };
    let opened = std::fs::File::open(path).map_err(unreadable)?;
    let mut text = String::new();
    let mut limited = opened.take(MUTE_FILE_BYTES + 1);
    let length = limited.read_to_string(&mut text).map_err(unreadable)?;
    if length as u64 > MUTE_FILE_BYTES {
        return Err(MuteError::TooLong { file });
    }
    parse(&file, &text)
}

pub(super) fn parse(name: &str, text: &str) -> Result<Mutes, MuteError> {
    let wrong = |at: usize, what: String| MuteError::Rule {
        file: name.to_owned(),
        line: line_of(text, at),
        what,
    };
    let parsed: File = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let what = error.message().replace('\n', "; ");
        wrong(
            at,
            format!(
                "{what}. A rule is [[mute]] with codes, and any of stream, topic, partition, \
                 consumer, field and because"
            ),
        )
    })?;
    if parsed.mute.len() > MUTE_RULES {
        let at = parsed.mute[MUTE_RULES].span().start;
        return Err(wrong(
            at,
            format!("more than {MUTE_RULES} rules; let a * stand for what several have in common"),
        ));
    }
    let mut rules = Vec::with_capacity(parsed.mute.len());
    for raw in parsed.mute {
        let at = raw.span().start;
        rules.push(rule(name, line_of(text, at), raw.into_inner(), &wrong, at)?);
    }
    Ok(Mutes { rules })
}

fn rule(
    name: &str,
    line: usize,
    raw: RawRule,
    wrong: &impl Fn(usize, String) -> MuteError,
    at: usize,
) -> Result<Rule, MuteError> {
    if raw.codes.is_empty() {
        let what = "codes is empty: name the verdicts and findings to mute, like [\"PX105\"]";
        return Err(wrong(at, what.to_owned()));
    }
    let mut codes = Vec::with_capacity(raw.codes.len());
    for named in &raw.codes {
        let known = code(named.get_ref());
        codes.push(known.ok_or_else(|| wrong(named.span().start, unknown(named.get_ref())))?);
    }
    let told = match raw.because {
        Some(because) => format!("{name}, line {line}: {because}"),
        None => format!("{name}, line {line}"),
    };
    Ok(Rule {
        codes,
        stream: raw.stream.map(Glob::new),
        topic: raw.topic.map(Glob::new),
        partition: raw.partition,
        consumer: raw.consumer.map(Glob::new),
        field: raw.field.map(Glob::new),
        told: told.into(),
    })
}

fn code(name: &str) -> Option<Code> {
    let verdict = VerdictKind::ALL
        .into_iter()
        .find(|kind| kind.name() == name);
    let finding = || catalog::all().find(|entry| entry.code.to_string() == name);
    let verdict = verdict.map(Code::Verdict);
    verdict.or_else(|| finding().map(|entry| Code::Finding(entry.code)))
}

fn unknown(name: &str) -> String {
    let verdicts = VerdictKind::ALL.map(VerdictKind::name).join(", ");
    format!(
        "{name:?} is neither a finding nor a verdict. Findings are listed by `parallax explain`; \
         verdicts are {verdicts}"
    )
}

fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().iter().take(at);
    1 + before.filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse("mute.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_understood_is_told_with_file_line_and_what_to_do() {
        for (text, line, said) in [
            (
                "[[mute]]\ncodes = [\"PX105\"]\nstrem = \"otel\"\n",
                3,
                "strem",
            ),
            ("[[mute]]\ncodes = [\"PX999\"]\n", 2, "parallax explain"),
            (
                "\n\n[[mute]]\ncodes = [\n  \"PX105\",\n  \"divirge\",\n]\n",
                6,
                "mirror_failed",
            ),
            ("[[mute]]\nstream = \"otel\"\n", 1, "codes"),
            ("[[mute]]\ncodes = []\n", 1, "name the verdicts"),
            (
                "[[mute]]\ncodes = [\"PX105\"]\npartition = \"two\"\n",
                3,
                "u32",
            ),
            (
                "[[mute]]\ncodes = [\"PX105\"]\npartition = -1\n",
                3,
                "partition",
            ),
            ("[mute]\ncodes = [\"PX105\"]\n", 1, "[[mute]]"),
            ("muted = true\n", 1, "[[mute]]"),
            ("[[mute]]\ncodes = \"PX105\n", 2, "[[mute]]"),
        ] {
            let error = error(text);
            let place = format!("mute.toml, line {line}: ");
            assert!(error.starts_with(&place), "{text:?}: {error}");
            assert!(error.contains(said), "{text:?}: {error}");
        }
    }

    #[test]
    fn an_empty_file_has_no_rules_and_a_full_one_is_at_its_limit() {
        assert!(parse("mute.toml", "").unwrap().rules.is_empty());
        let rule = "[[mute]]\ncodes = [\"stale\"]\n";
        let full = rule.repeat(MUTE_RULES);
        assert_eq!(parse("mute.toml", &full).unwrap().rules.len(), MUTE_RULES);
        let error = error(&rule.repeat(MUTE_RULES + 1));
        let line = 2 * MUTE_RULES + 1;
        assert!(
            error.contains(&format!("line {line}: more than")),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_is_not_there_or_too_long_is_named() {
        let missing = read(Path::new("no-such-mute.toml")).unwrap_err();
        assert!(missing.to_string().contains("no-such-mute.toml"));
        let path = std::env::temp_dir().join(format!("parallax-mute-{}", std::process::id()));
        let long = usize::try_from(MUTE_FILE_BYTES).unwrap() + 1;
        std::fs::write(&path, vec![b'#'; long]).unwrap();
        let error = read(&path).unwrap_err().to_string();
        std::fs::remove_file(&path).unwrap();
        assert!(error.contains("longer than"), "{error}");
    }
}
