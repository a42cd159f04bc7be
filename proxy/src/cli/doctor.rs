//! `parallax doctor`: is everything there that `parallax run` needs, with the same settings?

mod check;
mod machine;
mod server;

use std::io::{Write as _, stdout};

use anyhow::Context as _;
use clap::Args;

use super::route::RouteTable;
use super::run::RunArguments;
use super::{Outcome, with_causes};
use check::{Check, State};

/// Look whether everything is as `parallax run` needs it, with the same settings.
///
/// Nothing is changed on the server: it is pinged, and where there is a user (--http-user)
/// asked for its statistics, over TCP and over HTTP. Exits 0 when all is well, 1 when
/// something is not, 2 when the settings cannot be read.
#[derive(Debug, Args)]
pub(super) struct DoctorArguments {
    #[command(flatten)]
    settings: RunArguments,
    /// One JSON value a line: `route`, `check`, `state` (`ok`, `warning`, `failed` or
    /// `not_known`), `seen` and `advice`.
    #[arg(long)]
    json: bool,
}

const CORRECT: &str = "Nothing was looked at there: correct this, and look again";

pub(super) fn doctor(
    arguments: DoctorArguments,
    routes: Vec<RouteTable>,
) -> anyhow::Result<Outcome> {
    let DoctorArguments { settings, json } = arguments;
    let mut tell = |check: Check| {
        let _ = if json {
            writeln!(stdout(), "{}", check.json())
        } else {
            writeln!(stdout(), "{}", check.line())
        };
        check.state
    };
    let mut states: Vec<_> = machine::checks(&settings)
        .into_iter()
        .map(&mut tell)
        .collect();
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    for route in settings.route.each(routes) {
        let checks = match route {
            Ok(route) => runtime.block_on(server::checks(&route)),
            Err(error) => vec![Check::failed("settings", with_causes(&error), CORRECT)],
        };
        states.extend(checks.into_iter().map(&mut tell));
    }
    let is_well = |state: &State| matches!(state, State::Ok | State::NotKnown);
    Ok(if states.iter().all(is_well) {
        Outcome::NothingFound
    } else {
        Outcome::Found
    })
}
