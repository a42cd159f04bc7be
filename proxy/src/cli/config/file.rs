//! `parallax.toml`: keys with their values as text, and where each stands.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::ConfigError;
use crate::limits::{CONFIG_FILE_BYTES, ROUTES};

/// Where it is looked for unless another is named.
pub(in crate::cli) const DEFAULT_FILE: &str = "parallax.toml";

/// What a file says.
#[derive(Debug, Default)]
pub(in crate::cli) struct ConfigFile {
    /// What errors call it.
    pub(super) name: String,
    /// What holds for all.
    pub(super) keys: Vec<Key>,
    /// `[[route]]`, in their order.
    pub(super) routes: Vec<Table>,
}

/// A `[[route]]`.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) at: Place,
    pub(super) keys: Vec<Key>,
}

/// A key with its value.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) at: Place,
}

/// A value as text, as it would stand on a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Flag(bool),
    One(String),
    Many(Vec<String>),
}

/// Line and column, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl ConfigFile {
    /// The file that was named, or the default one where there is one.
    pub(in crate::cli) fn find(named: Option<&PathBuf>) -> Result<Option<Self>, ConfigError> {
        match named {
            Some(path) => Self::read(path).map(Some),
            None if Path::new(DEFAULT_FILE).exists() => {
                Self::read(Path::new(DEFAULT_FILE)).map(Some)
            }
            None => Ok(None),
        }
    }

    fn read(path: &Path) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        let unreadable = |source| ConfigError::Unreadable {
            file: name.clone(),
            source,
        };
        let opened = std::fs::File::open(path).map_err(unreadable)?;
        let mut text = String::new();
        let mut limited = opened.take(CONFIG_FILE_BYTES + 1);
        let length = limited.read_to_string(&mut text).map_err(unreadable)?;
        if length as u64 > CONFIG_FILE_BYTES {
            return Err(ConfigError::TooLong { file: name });
        }
        Self::parse(&name, &text)
    }

    /// What `text` says; `name` is what errors call the file.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self, ConfigError> {
        let reader = Reader { name, text };
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            reader.wrong(at, error.message().replace('\n', "; "))
        })?;
        let mut file = Self {
            name: name.to_owned(),
            ..Self::default()
        };
        for (key, value) in table.into_inner() {
            if key.get_ref() == "route" {
                file.routes = reader.routes(&value)?;
            } else {
                file.keys.push(reader.key(&key, &value)?);
            }
        }
        Ok(file)
    }

    /// An error about what stands there.
    pub(super) fn wrong(&self, at: Place, what: String) -> ConfigError {
        ConfigError::At {
            file: self.name.clone(),
            line: at.line,
            column: at.column,
            what,
        }
    }
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    fn routes(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<Table>, ConfigError> {
        let wrong = |at: usize| {
            self.wrong(
                at,
                "routes are tables: write [[route]], and name, listen and upstream below it"
                    .to_owned(),
            )
        };
        let start = value.span().start;
        let DeValue::Array(tables) = value.get_ref() else {
            return Err(wrong(start));
        };
        if tables.len() > ROUTES {
            let what = format!("there are {} routes, and {ROUTES} may be", tables.len());
            return Err(self.wrong(start, what));
        }
        let mut routes = Vec::new();
        for table in tables {
            let at = table.span().start;
            let DeValue::Table(keys) = table.get_ref() else {
                return Err(wrong(at));
            };
            let keys = keys.iter().map(|(key, value)| self.key(key, value));
            routes.push(Table {
                at: self.place(at),
                keys: keys.collect::<Result<_, _>>()?,
            });
        }
        Ok(routes)
    }

    fn key(
        &self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Key, ConfigError> {
        let name = key.get_ref();
        let at = key.span().start;
        let value = match value.get_ref() {
            DeValue::Boolean(flag) => Some(Value::Flag(*flag)),
            DeValue::Array(values) => {
                let texts = values.iter().map(|one| text(one.get_ref()));
                texts.collect::<Option<_>>().map(Value::Many)
            }
            one => text(one).map(Value::One),
        };
        let value = value.ok_or_else(|| {
            let what = format!(
                "{name} is no text, number, true or false, or list of texts; the only tables are \
                 [[route]]"
            );
            self.wrong(at, what)
        })?;
        Ok(Key {
            name: name.to_string(),
            value,
            at: self.place(at),
        })
    }

    fn wrong(&self, at: usize, what: String) -> ConfigError {
        let Place { line, column } = self.place(at);
        ConfigError::At {
            file: self.name.to_owned(),
            line,
            column,
            what,
        }
    }

    fn place(&self, at: usize) -> Place {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Place {
            line: 1 + before.matches('\n').count(),
            column: 1 + line.chars().count(),
        }
    }
}

/// As it would stand on a command line; `None` of what would not.
fn text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        // What is too large stays as it is written, and the setting's parser says so.
        DeValue::Integer(number) => Some(
            i64::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| number.as_str().to_owned(), |number| number.to_string()),
        ),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}
