//! `[[route]]`: a table's own keys, and for the others what holds outside of it.

use std::collections::HashMap;

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};

use super::ConfigError;
use super::file::{ConfigFile, Table};
use super::layers::{Origin, Setting, exclude_each_other, held as held_of};
use super::schema::{check, settings, with_defaults};
use crate::cli::route::RouteTable;

/// A route, as it is to be.
#[derive(Debug)]
pub(in crate::cli) struct HeldRoute {
    pub(super) settings: Vec<Setting>,
    matches: ArgMatches,
}

/// What is of one route alone, and no route has from another.
const ITS_OWN: [&str; 6] = ["name", "cluster", "listen", "upstream", "http", "advertise"];

/// Of these each route has one.
const NEEDED: [&str; 3] = ["name", "listen", "upstream"];

impl HeldRoute {
    /// The route, read by the command line's own parsers.
    pub(in crate::cli) fn table(&self) -> Result<RouteTable, clap::Error> {
        RouteTable::from_arg_matches(&self.matches)
    }
}

/// Flags that are without effect on a route, because it has its own.
pub(super) fn overruled(outside: &[Setting], routes: &[HeldRoute]) -> Vec<String> {
    let flags = outside.iter().filter(|one| one.origin == Origin::Flag);
    let overruled = flags.flat_map(|flag| {
        let own = routes.iter().filter_map(|route| {
            let own = route.settings.iter().find(|one| one.id == flag.id)?;
            matches!(own.origin, Origin::File { .. }).then_some(own)
        });
        own.map(move |own| {
            let (key, origin) = (&flag.key, &own.origin);
            format!("--{key} does not hold for the route that has its own ({origin})")
        })
    });
    overruled.collect()
}

/// The file's routes; none where it has none.
pub(super) fn held(file: &ConfigFile, outside: &[Setting]) -> Result<Vec<HeldRoute>, ConfigError> {
    if let Some(first) = file.routes.first() {
        let of_one = outside.iter().filter(|one| ITS_OWN.contains(&&*one.key));
        if let Some(one) = of_one.into_iter().find(|one| one.is_set()) {
            return Err(file.wrong(
                first.at,
                format!(
                    "with [[route]], {} is of each route, and {} sets it for none: write it below \
                     [[route]]",
                    one.key, one.origin
                ),
            ));
        }
    }
    let mut names = HashMap::new();
    let mut routes = Vec::new();
    for table in &file.routes {
        let route = route(file, table, outside)?;
        let name = table.keys.iter().find(|key| key.name == "name");
        let value = route.settings.iter().find(|one| one.key == "name");
        if let (Some(key), Some(value)) = (name, value)
            && let Some(line) = names.insert(value.values.clone(), key.at.line)
        {
            let what = format!("the route of line {line} has this name already");
            return Err(file.wrong(key.at, what));
        }
        routes.push(route);
    }
    Ok(routes)
}

fn route(file: &ConfigFile, table: &Table, outside: &[Setting]) -> Result<HeldRoute, ConfigError> {
    // The environment is of what holds outside.
    let mut command = RouteTable::augment_args(Command::new("route").no_binary_name(true))
        .mut_args(|argument| argument.env(None::<&'static str>));
    let own = command.clone();
    for setting in settings(&own) {
        let id = setting.get_id().as_str();
        let inherited = outside.iter().find(|one| one.id == id);
        let inherited = inherited.filter(|one| !ITS_OWN.contains(&&*one.key));
        if let Some(one) = inherited.filter(|one| !one.values.is_empty()) {
            command = with_defaults(command, id, one.values.clone());
        }
    }
    for key in &table.keys {
        let (id, values) = check(&own, file, key)?;
        command = with_defaults(command, &id, values);
    }
    for needed in NEEDED {
        if !table.keys.iter().any(|key| key.name == needed) {
            return Err(file.wrong(table.at, format!("this route has no {needed}")));
        }
    }
    // Every value was taken by the same parsers before.
    let matches = command
        .try_get_matches_from(Vec::<String>::new())
        .map_err(|error| file.wrong(table.at, error.to_string()))?;
    let mut settings = held_of(&own, &matches, None);
    for setting in &mut settings {
        let key = table.keys.iter().find(|key| key.name == setting.key);
        let inherited = outside.iter().find(|one| one.id == setting.id);
        setting.origin = match (key, inherited) {
            (Some(key), _) => Origin::of(file, key),
            (None, Some(one)) if !ITS_OWN.contains(&&*one.key) => one.origin.clone(),
            (None, _) => Origin::Default,
        };
    }
    exclude_each_other(&own, &settings)?;
    Ok(HeldRoute { settings, matches })
}
