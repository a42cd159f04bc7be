//! What must differ by nature, and is not to be told.

use std::path::Path;
use std::sync::Arc;

use super::rules_file::{self, RulesError};
use crate::glob::Glob;

/// Noise rules: the built-in ones, and those of a file.
#[derive(Debug, Clone)]
pub struct Rules {
    rules: Vec<Rule>,
}

/// A rule: differences of this field, in these commands, are not told.
#[derive(Debug, Clone)]
pub struct Rule {
    pub(super) commands: Option<Glob>,
    pub(super) field: Glob,
    /// As it was written.
    pub(super) text: String,
    /// The comment that goes with it.
    pub(super) because: Arc<str>,
    /// Where it stands: file and line; `None` for a built-in one.
    pub(super) place: Option<(Arc<str>, usize)>,
}

const BUILT_IN: &str = include_str!("default.parallaxignore");

impl Rules {
    /// The built-in rules alone: times, numbers of sessions, and what else no two
    /// servers share.
    pub fn built_in() -> Self {
        // The text is the program's own, and a test reads it.
        let rules = rules_file::parse(None, BUILT_IN).unwrap_or_default();
        Self { rules }
    }

    /// The built-in rules and those of a file.
    ///
    /// # Errors
    /// It cannot be read, is too long, or a rule in it cannot be understood: the
    /// error names the file, line and column, and what to do.
    pub fn read(path: &Path) -> Result<Self, RulesError> {
        let text = rules_file::text_of(path)?;
        Self::parse(&path.display().to_string(), &text)
    }

    /// The built-in rules and those of a file's text; `name` is what errors call
    /// the file.
    ///
    /// # Errors
    /// As [`Rules::read`].
    pub fn parse(name: &str, text: &str) -> Result<Self, RulesError> {
        let mut rules = Self::built_in();
        rules.rules.extend(rules_file::parse(Some(name), text)?);
        Ok(rules)
    }

    /// Every rule, the built-in ones first.
    pub fn all(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    /// The rules for exchanges that one side or the other calls one of `commands`.
    pub(super) fn of(&self, commands: &[impl AsRef<str>]) -> Applying<'_> {
        let named = |glob: &Glob| {
            commands
                .iter()
                .any(|command| glob.matches(command.as_ref()))
        };
        let applies = |rule: &&Rule| rule.commands.as_ref().is_none_or(named);
        let rules = self.rules.iter().enumerate();
        Applying(rules.filter(|(_, rule)| applies(rule)).collect())
    }
}

/// Rules that apply to an exchange, and their places in the list of all.
pub(super) struct Applying<'a>(Vec<(usize, &'a Rule)>);

impl Applying<'_> {
    /// The first rule that ignores a field.
    pub(super) fn ignoring(&self, path: &str) -> Option<usize> {
        let found = self.0.iter().find(|(_, rule)| rule.covers(path));
        found.map(|(place, _)| *place)
    }
}

impl Rule {
    /// Whether it is the program's own.
    pub const fn is_built_in(&self) -> bool {
        self.place.is_none()
    }

    /// The reason that was written beside it; may be empty.
    pub fn because(&self) -> &str {
        &self.because
    }

    /// Whether it names the field, or one that the field is a part of.
    fn covers(&self, path: &str) -> bool {
        let ends = path.match_indices(['.', '[']).map(|(end, _)| end);
        let mut ends = ends.chain(std::iter::once(path.len()));
        ends.any(|end| self.field.matches(&path[..end]))
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.place {
            Some((file, line)) => write!(f, "{} ({file}, line {line})", self.text),
            None => f.write_str(&self.text),
        }
    }
}
