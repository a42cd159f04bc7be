//! Which keys there are, and what their values may be: the long flags of the command
//! line, by clap's own description of them.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};

use super::ConfigError;
use super::file::{ConfigFile, Key, Value};

/// Flags that are of a run of the program, and no setting.
const NO_SETTINGS: [&str; 4] = ["config", "help", "json", "version"];

/// The arguments that are settings, by their long names, in the order of the help.
pub(super) fn settings(command: &Command) -> impl Iterator<Item = &Arg> {
    let arguments = command.get_arguments();
    arguments.filter(|one| {
        one.get_long()
            .is_some_and(|long| !NO_SETTINGS.contains(&long))
    })
}

/// Whether it is true or false, and has no value on a command line.
pub(super) fn is_flag(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::SetTrue)
}

/// Sets what the file says as the defaults of the command line: behind flags and the
/// environment, before what holds otherwise.
pub(super) fn with_defaults(command: Command, id: &str, values: Vec<String>) -> Command {
    command.mut_arg(id, |argument| {
        argument.required(false).default_values(values)
    })
}

/// The texts of a value, once it was found to be one that the key can have.
///
/// # Errors
/// There is no such key, or no such value of it.
pub(super) fn check(
    command: &Command,
    file: &ConfigFile,
    key: &Key,
) -> Result<(String, Vec<String>), ConfigError> {
    let name = key.name.as_str();
    let wrong = |what: String| file.wrong(key.at, what);
    let known = settings(command).find(|one| one.get_long() == Some(name));
    let Some(argument) = known else {
        return Err(wrong(unknown(command, name)));
    };
    let texts = match (&key.value, is_flag(argument)) {
        (Value::Flag(flag), true) => vec![flag.to_string()],
        (_, true) => return Err(wrong(format!("{name} is true or false, without quotes"))),
        (Value::Flag(_), false) => {
            let example = argument.get_value_names().and_then(<[_]>::first);
            let example = example.map_or("...", |name| name.as_str());
            return Err(wrong(format!(
                "{name} is not true or false: write {name} = \"{example}\""
            )));
        }
        (Value::One(text), false) => vec![text.clone()],
        (Value::Many(texts), false) => {
            if !matches!(argument.get_action(), ArgAction::Append) {
                return Err(wrong(format!("{name} has one value, not a list")));
            }
            texts.clone()
        }
    };
    if !is_flag(argument) {
        for text in &texts {
            if let Some(why) = refused(argument, text) {
                return Err(wrong(why));
            }
        }
    }
    Ok((argument.get_id().to_string(), texts))
}

/// Why the command line would refuse this value, in one line.
fn refused(argument: &Arg, text: &str) -> Option<String> {
    let long = argument.get_long()?;
    // Alone, so that it cannot contradict another one.
    let alone = Command::new("parallax").no_binary_name(true).arg(
        Arg::new(long.to_owned())
            .long(long.to_owned())
            .value_parser(argument.get_value_parser().clone())
            .value_delimiter(argument.get_value_delimiter())
            .action(argument.get_action().clone()),
    );
    let given = format!("--{long}={text}");
    let error = alone.try_get_matches_from([given]).err()?;
    let kinds = [ErrorKind::InvalidValue, ErrorKind::ValueValidation];
    let error = kinds.contains(&error.kind()).then(|| error.to_string())?;
    let said = error.split("\n\nFor more").next()?;
    let said = said.trim_start_matches("error: ");
    let lines: Vec<_> = said
        .lines()
        .map(str::trim)
        .filter(|one| !one.is_empty())
        .collect();
    Some(
        lines
            .join(" ")
            .replace(&format!("'--{long} <{long}>'"), long),
    )
}

/// What to say of a key that there is not.
fn unknown(command: &Command, name: &str) -> String {
    match nearest(command, name) {
        Some(near) => format!("there is no setting {name}; did you mean {near}?"),
        None => format!(
            "there is no setting {name}; `parallax config` prints all, and `parallax run --help` \
             says what they are"
        ),
    }
}

/// The setting that is spelled most like it, as the command line has it.
fn nearest(command: &Command, name: &str) -> Option<String> {
    nearest_of(settings(command).filter_map(Arg::get_long), name)
}

/// The one of these that is spelled most like it, by clap's judgement.
pub(super) fn nearest_of<'a>(known: impl Iterator<Item = &'a str>, name: &str) -> Option<String> {
    let mut all = Command::new("parallax")
        .no_binary_name(true)
        .disable_help_flag(true);
    for long in known {
        all = all.arg(Arg::new(long.to_owned()).long(long.to_owned()));
    }
    let error = all.try_get_matches_from([format!("--{name}=x")]).err()?;
    match error.get(ContextKind::SuggestedArg)? {
        ContextValue::String(near) => Some(near.trim_start_matches('-').to_owned()),
        _ => None,
    }
}
