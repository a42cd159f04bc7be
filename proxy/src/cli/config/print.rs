//! `parallax config`: what holds, and from where.

use std::fmt::Write as _;
use std::io::{Write as _, stdout};

use clap::Args;
use serde_json::{Value, json};

use super::layers::{Held, Origin, Setting};
use crate::cli::Outcome;
use crate::cli::route::HTTP_PASSWORD;
use crate::cli::run::RunArguments;
use crate::cli::ui::UI_PASSWORD;

/// Print what holds, and from where: flags, the environment, a file, defaults.
///
/// What is printed is TOML, and may be used as a `parallax.toml`. Passwords are not printed.
#[derive(Debug, Args)]
pub(in crate::cli) struct ConfigArguments {
    #[command(flatten)]
    _settings: RunArguments,
    /// One JSON value a line: `route`, `key`, `value`, `from` (flag, environment, file or
    /// default) and `where`.
    #[arg(long)]
    json: bool,
}

/// Secrets have neither a flag nor a key.
const SECRETS: [&str; 2] = [HTTP_PASSWORD, UI_PASSWORD];

pub(in crate::cli) fn print(arguments: &ConfigArguments, held: &Held) -> anyhow::Result<Outcome> {
    let text = if arguments.json {
        as_json(held)
    } else {
        as_toml(held)
    };
    stdout().lock().write_all(text.as_bytes())?;
    Ok(Outcome::NothingFound)
}

/// Flags of one run, in the list of a proxy's settings.
fn is_of_routes(held: &Held, setting: &Setting) -> bool {
    let of_route = |one: &Setting| one.key == setting.key;
    let first = held.routes.first();
    first.is_some_and(|route| route.settings.iter().any(of_route))
}

pub(super) fn as_toml(held: &Held) -> String {
    let mut text = String::new();
    let file = held.file.as_deref().unwrap_or("none");
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "# What holds, and from where. Configuration file: {file}"
    );
    for secret in SECRETS
        .iter()
        .filter(|name| std::env::var_os(name).is_some())
    {
        let _ = writeln!(text, "# {secret} is set, and not shown");
    }
    let outside = held.settings.iter();
    for setting in outside.filter(|one| !is_of_routes(held, one)) {
        text.push_str(&line(setting));
    }
    for route in &held.routes {
        text.push_str("\n[[route]]\n");
        route
            .settings
            .iter()
            .for_each(|one| text.push_str(&line(one)));
    }
    text
}

/// `listen = "127.0.0.1:8190"  # default`
fn line(setting: &Setting) -> String {
    let Setting { key, origin, .. } = setting;
    let holds_secret = |text: &String| without_secrets(text) != *text;
    if setting.values.iter().any(holds_secret) {
        // Without it the address would be taken, and be another.
        return format!("# {key}: an address with a user or a password, not shown  # {origin}\n");
    }
    match value(setting) {
        Some(value) => format!("{:<48}  # {origin}\n", format!("{key} = {value}")),
        None => format!("# {key}: not set\n"),
    }
}

/// As TOML; `None` where there is none.
fn value(setting: &Setting) -> Option<String> {
    let one = |text: &String| match text.parse::<u32>() {
        Ok(number) if number.to_string() == *text => text.clone(),
        _ => quoted(text),
    };
    if setting.is_flag {
        return Some(
            setting
                .values
                .first()
                .cloned()
                .unwrap_or("false".to_owned()),
        );
    }
    let first = setting.values.first()?;
    Some(if setting.is_list {
        let all: Vec<_> = setting.values.iter().map(one).collect();
        format!("[{}]", all.join(", "))
    } else {
        one(first)
    })
}

/// A basic string, which JSON's are as well (TOML 1.0, section String).
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

/// An address without the user and password that it may have.
fn without_secrets(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://\u{2026}{}", &rest[at..]),
        None => text.to_owned(),
    }
}

pub(super) fn as_json(held: &Held) -> String {
    let mut text = String::new();
    let mut add = |route: Option<&str>, setting: &Setting| {
        let origin = &setting.origin;
        let values = setting.values.iter().map(|one| without_secrets(one));
        let value = match (setting.is_flag, setting.is_list) {
            (true, _) => Value::from(setting.values.first().is_some_and(|one| one == "true")),
            (false, true) => values.collect::<Vec<_>>().into(),
            (false, false) => values.take(1).next().into(),
        };
        let place = match origin {
            Origin::Flag => Some(format!("--{}", setting.key)),
            Origin::Environment(_) | Origin::File { .. } => Some(origin.to_string()),
            Origin::Default => None,
        };
        let told = json!({
            "route": route,
            "key": setting.key,
            "value": value,
            "from": origin.kind(),
            "where": place,
        });
        let _ = writeln!(text, "{told}");
    };
    let outside = held.settings.iter();
    for setting in outside.filter(|one| !is_of_routes(held, one)) {
        add(None, setting);
    }
    for route in &held.routes {
        let name = route.settings.iter().find(|one| one.key == "name");
        let name = name.and_then(|name| name.values.first());
        for setting in &route.settings {
            add(name.map(String::as_str), setting);
        }
    }
    for secret in SECRETS
        .iter()
        .filter(|name| std::env::var_os(name).is_some())
    {
        let told = json!({
            "route": null, "key": null, "value": null, "from": "environment", "where": secret,
        });
        let _ = writeln!(text, "{told}");
    }
    text
}
