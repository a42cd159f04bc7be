//! Variables that are probably meant as settings, and are none.

use std::collections::BTreeSet;

use clap::{Arg, Command};

use super::schema::nearest_of;
use crate::cli::logs::LOG;
use crate::cli::replay::{PASSWORD, TOKEN};
use crate::cli::route::HTTP_PASSWORD;
use crate::cli::ui::UI_PASSWORD;

const OURS: &str = "PARALLAX_";

/// What no argument of the command line has.
const WITHOUT_FLAG: [&str; 5] = [HTTP_PASSWORD, UI_PASSWORD, PASSWORD, TOKEN, LOG];

/// What others set beside a program of this name: Kubernetes for each port of a service that is
/// called parallax, and the tests.
const OF_OTHERS: [&str; 3] = ["PARALLAX_PORT", "PARALLAX_SERVICE_", "PARALLAX_TEST_"];

/// What to say of those among `names` that are spelled like a setting, and are none. Others are
/// nobody's business: unlike a file an environment is not parallax's alone.
pub(super) fn mistyped(command: &Command, names: impl Iterator<Item = String>) -> Vec<String> {
    let mut command = command.clone();
    command.build();
    let verbs = command.get_subcommands().flat_map(Command::get_arguments);
    let variables = verbs
        .chain(command.get_arguments())
        .filter_map(Arg::get_env);
    let mut known: BTreeSet<_> = variables
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    known.extend(WITHOUT_FLAG.map(str::to_owned));
    let is_asked = |name: &String| {
        name.starts_with(OURS) && !OF_OTHERS.iter().any(|one| name.starts_with(one))
    };
    let strange = names.filter(|name| is_asked(name) && !known.contains(name));
    let told = strange.filter_map(|name| {
        // What all have in common makes none of them alike.
        let known = known.iter().filter_map(|one| one.strip_prefix(OURS));
        let near = nearest_of(known, name.strip_prefix(OURS)?)?;
        Some(format!(
            "{name} is no setting, and is passed over; did you mean {OURS}{near}?"
        ))
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Arguments;

    fn told(names: &[&str]) -> Vec<String> {
        let names = names.iter().map(|name| (*name).to_owned());
        mistyped(&Arguments::command(), names)
    }

    #[test]
    fn a_variable_that_is_spelled_like_a_setting_is_told_with_the_setting() {
        for (name, near) in [
            ("PARALLAX_LISEN", "PARALLAX_LISTEN"),
            ("PARALLAX_HTTP_PASSWRD", "PARALLAX_HTTP_PASSWORD"),
            ("PARALLAX_UPSTREAM_TSL", "PARALLAX_UPSTREAM_TLS"),
        ] {
            let told = told(&[name]);
            assert_eq!(told.len(), 1, "{name}: {told:?}");
            assert!(told[0].starts_with(name), "{told:?}");
            assert!(
                told[0].contains(&format!("did you mean {near}?")),
                "{told:?}"
            );
        }
    }

    #[test]
    fn settings_and_variables_of_others_are_passed_over_without_a_word() {
        let named = [
            "PARALLAX_LISTEN",
            "PARALLAX_LOG",
            "PARALLAX_UI_PASSWORD",
            "PARALLAX_REPLAY_TOKEN",
            "PARALLAX_SERVICE_HOST",
            "PARALLAX_PORT_8190_TCP_ADDR",
            "PARALLAX_TEST_TCP",
            "PARALLAX_ZZZZZ",
            "LISEN",
        ];
        assert_eq!(told(&named), Vec::<String>::new());
    }
}
