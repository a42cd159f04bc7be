//! The layers put on each other, and where each value comes from.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::ConfigError;
use super::environment::mistyped;
use super::file::{ConfigFile, Key, Place};
use super::routes::{self, HeldRoute};
use super::schema::{check, is_flag, settings, with_defaults};
use crate::cli::route::RouteTable;

/// The verbs that are configured, each with all settings of `run`.
const CONFIGURED: [&str; 3] = ["run", "config", "doctor"];

/// What holds, by which the program is then told what to do.
#[derive(Debug)]
pub(in crate::cli) struct Layers {
    pub(in crate::cli) matches: ArgMatches,
    pub(in crate::cli) held: Held,
    /// What is probably not as it was meant.
    pub(in crate::cli) notes: Vec<String>,
}

/// What holds and from where.
#[derive(Debug, Default)]
pub(in crate::cli) struct Held {
    /// The file that was read, if there is one.
    pub(super) file: Option<String>,
    pub(super) settings: Vec<Setting>,
    pub(super) routes: Vec<HeldRoute>,
}

/// A setting, in the order of the help.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    pub(super) id: String,
    /// The long flag's name.
    pub(super) key: String,
    pub(super) is_flag: bool,
    /// Whether it may have several.
    pub(super) is_list: bool,
    pub(super) values: Vec<String>,
    pub(super) origin: Origin,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    Flag,
    /// This variable.
    Environment(String),
    File {
        name: String,
        at: Place,
    },
    Default,
}

impl Layers {
    /// What these arguments come to, with the environment and the file.
    ///
    /// # Errors
    /// The file cannot be used, or says what cannot be together with the rest. What is
    /// wrong on the command line ends the program as clap does.
    pub(in crate::cli) fn of(
        command: &Command,
        arguments: &[OsString],
    ) -> Result<Self, ConfigError> {
        let matches = command.clone().get_matches_from(arguments);
        let configured = matches
            .subcommand()
            .filter(|(verb, _)| CONFIGURED.contains(verb));
        let Some((verb, given)) = configured else {
            return Ok(Self {
                matches,
                held: Held::default(),
                notes: Vec::new(),
            });
        };
        let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let mut notes = mistyped(command, variables);
        let Some(file) = ConfigFile::find(given.get_one::<PathBuf>("config"))? else {
            let held = Held {
                settings: held(&of_verb(command, verb), given, None),
                ..Held::default()
            };
            return Ok(Self {
                matches,
                held,
                notes,
            });
        };
        let verb = verb.to_owned();
        let own = of_verb(command, &verb);
        let matches = with_file(command.clone(), &verb, &file)?.get_matches_from(arguments);
        let given = matches.subcommand_matches(&verb).unwrap_or(&matches);
        let settings = held(&own, given, Some(&file));
        exclude_each_other(&own, &settings)?;
        let routes = routes::held(&file, &settings)?;
        notes.extend(routes::overruled(&settings, &routes));
        let held = Held {
            file: Some(file.name.clone()),
            settings,
            routes,
        };
        Ok(Self {
            matches,
            held,
            notes,
        })
    }
}

impl Held {
    /// The file's routes; none where the arguments name the one.
    pub(in crate::cli) fn tables(&self) -> anyhow::Result<Vec<RouteTable>> {
        let tables = self.routes.iter().map(HeldRoute::table);
        Ok(tables.collect::<Result<_, _>>()?)
    }
}

/// A verb's own command, with the arguments that it has from the program.
fn of_verb(command: &Command, verb: &str) -> Command {
    let mut command = command.clone();
    command.build();
    let found = command.find_subcommand(verb);
    found.cloned().unwrap_or(command)
}

/// The command with the file's values as defaults.
pub(super) fn with_file(
    mut command: Command,
    verb: &str,
    file: &ConfigFile,
) -> Result<Command, ConfigError> {
    let own = of_verb(&command, verb);
    for key in &file.keys {
        let (id, values) = check(&own, file, key)?;
        let is_global = command
            .get_arguments()
            .any(|one| one.get_id() == id.as_str());
        command = if is_global {
            with_defaults(command, &id, values)
        } else {
            command.mut_subcommand(verb, |verb| with_defaults(verb, &id, values))
        };
    }
    Ok(command)
}

/// What `matches` come to, for each setting of `command`.
pub(super) fn held(
    command: &Command,
    matches: &ArgMatches,
    file: Option<&ConfigFile>,
) -> Vec<Setting> {
    let keys = file.map_or(&[][..], |file| &file.keys);
    let told = |argument: &Arg| {
        let id = argument.get_id().as_str();
        let long = argument.get_long().unwrap_or_default();
        Setting {
            id: id.to_owned(),
            key: long.to_owned(),
            is_flag: is_flag(argument),
            is_list: matches!(argument.get_action(), clap::ArgAction::Append),
            values: values(argument, matches),
            origin: origin(argument, matches.value_source(id), || {
                let key = keys.iter().find(|key| key.name == long)?;
                Some(Origin::of(file?, key))
            }),
        }
    };
    settings(command).map(told).collect()
}

/// As they were written; of a flag what that comes to, for a variable says yes in many ways.
fn values(argument: &Arg, matches: &ArgMatches) -> Vec<String> {
    let id = argument.get_id().as_str();
    if is_flag(argument) {
        let flag = matches.try_get_one::<bool>(id).ok().flatten();
        return flag.map(bool::to_string).into_iter().collect();
    }
    let raw = matches.try_get_raw(id).ok().flatten();
    let values = raw.into_iter().flatten();
    values
        .map(|one| one.to_string_lossy().into_owned())
        .collect()
}

fn origin(
    argument: &Arg,
    source: Option<ValueSource>,
    of_file: impl FnOnce() -> Option<Origin>,
) -> Origin {
    match source {
        Some(ValueSource::CommandLine) => Origin::Flag,
        Some(ValueSource::EnvVariable) => {
            let name = argument.get_env().unwrap_or_default();
            Origin::Environment(name.to_string_lossy().into_owned())
        }
        _ => of_file().unwrap_or(Origin::Default),
    }
}

/// Of flags clap sees to it; of what the file says this does.
pub(super) fn exclude_each_other(
    command: &Command,
    settings: &[Setting],
) -> Result<(), ConfigError> {
    let set = |id: &str| {
        let found = settings.iter().find(|one| one.id == id);
        found.filter(|one| one.is_set())
    };
    for argument in command.get_arguments() {
        let Some(one) = set(argument.get_id().as_str()) else {
            continue;
        };
        let others = command.get_arg_conflicts_with(argument);
        let mut others = others
            .iter()
            .filter_map(|other| set(other.get_id().as_str()));
        if let Some(other) = others.next() {
            return Err(ConfigError::Together(format!(
                "{} ({}) and {} ({}) cannot be together: take one away",
                one.key, one.origin, other.key, other.origin
            )));
        }
    }
    Ok(())
}

impl Setting {
    /// Whether somebody set it, and not to what is no different from not set.
    pub(super) fn is_set(&self) -> bool {
        let is_off = self.is_flag && self.values.first().is_none_or(|value| value != "true");
        self.origin != Origin::Default && !is_off
    }
}

impl Origin {
    pub(super) fn of(file: &ConfigFile, key: &Key) -> Self {
        Self::File {
            name: file.name.clone(),
            at: key.at,
        }
    }

    /// In one word, for JSON.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment(_) => "environment",
            Self::File { .. } => "file",
            Self::Default => "default",
        }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Environment(name) => f.write_str(name),
            Self::File { name, at } => write!(f, "{name}:{}", at.line),
            Self::Default => f.write_str("default"),
        }
    }
}
