mod told;

use std::io::{Write as _, stderr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::Args;
use parallax_captures::difference::{Comparer, Scope};
use parallax_codec::primitives::Secret;

use self::told::Teller;
use super::ignore::IgnoreArguments;
use super::run::check_address;
use super::{Outcome, complain};
use crate::limits::REPLAY_TIMEOUT;
use crate::offline::{Reading, read_capture};
use crate::replay::{Connections, Logins, NotSent, Pace, Plan, Target, play};

/// Play a capture again: its requests to a server.
///
/// The replies are compared with the captured ones, field by field. Requests that change
/// something are not sent without --allow-writes, and said one by one. Passwords and
/// tokens are masked in a capture: `PARALLAX_REPLAY_PASSWORD` and
/// `PARALLAX_REPLAY_TOKEN` give them anew. A login that was refused is refused again.
///
/// Exits 0 when every reply is as it was captured, 1 when one is not, 2 when something
/// could not be sent.
#[derive(Debug, Args)]
pub(super) struct ReplayArguments {
    /// A capture: pcap or pcapng.
    file: PathBuf,
    /// The server to send the captured requests to, host:port.
    #[arg(long, value_name = "ADDRESS")]
    to: String,
    /// How fast: flat (each request once the one before is answered), captured, or a
    /// factor of it like 2x.
    #[arg(long, default_value = "flat")]
    pace: Pace,
    /// On as many connections as were captured, or on one.
    #[arg(long, value_enum, default_value = "captured")]
    connections: Connections,
    /// Send what changes something, too.
    #[arg(long)]
    allow_writes: bool,
    /// Log in as this user instead of as the captured one.
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// Seconds to wait for a connection or a reply.
    #[arg(long, value_name = "SECONDS", default_value_t = REPLAY_TIMEOUT.as_secs())]
    timeout: u64,
    #[command(flatten)]
    ignore: IgnoreArguments,
    /// One JSON value a line.
    #[arg(long)]
    json: bool,
}

/// A password on the command line is in every process list, so neither has a flag.
const PASSWORD: &str = "PARALLAX_REPLAY_PASSWORD";
const TOKEN: &str = "PARALLAX_REPLAY_TOKEN";

pub(super) fn replay(arguments: &ReplayArguments) -> anyhow::Result<Outcome> {
    check_address("--to", &arguments.to)?;
    let rules = arguments.ignore.rules(&[&arguments.file])?;
    let name = arguments.file.display();
    let reading = read_capture(&arguments.file).with_context(|| format!("cannot read {name}"))?;
    for note in &reading.notes {
        let _ = writeln!(stderr(), "parallax: {name}: {note}");
    }
    let plan = Plan::of(
        &reading.exchanges,
        &logins(arguments),
        arguments.allow_writes,
    );
    let needs = |why: NotSent| plan.not_sent.iter().any(|(_, not_sent)| *not_sent == why);
    if needs(NotSent::NoPassword) {
        return Err(anyhow!(
            "the capture logs in with a password, which is masked in it: give one in {PASSWORD}"
        ));
    }
    let mut teller = Teller::new(Comparer::new(&rules, Scope::Reply), arguments.json);
    teller.begin(&plan, arguments);
    let target = Target {
        to: arguments.to.clone(),
        pace: arguments.pace,
        connections: arguments.connections,
        patience: Duration::from_secs(arguments.timeout),
    };
    tokio::runtime::Runtime::new()
        .context("cannot start the runtime")?
        .block_on(play(plan, &target, |played| teller.played(&played)))
        .map_err(|why| anyhow!("cannot play to {}: {why}", target.to))?;
    let outcome = teller.end();
    Ok(damage(arguments, reading).unwrap_or(outcome))
}

/// What stands before the damage has been played.
fn damage(arguments: &ReplayArguments, reading: Reading) -> Option<Outcome> {
    let name = arguments.file.display();
    let damage = reading.damage?;
    complain(&anyhow::Error::new(damage).context(format!("{name} is damaged")));
    Some(Outcome::Incomplete)
}

fn logins(arguments: &ReplayArguments) -> Logins {
    let secret = |variable: &str| std::env::var(variable).ok().map(Secret::new);
    Logins {
        user: arguments.user.clone(),
        password: secret(PASSWORD),
        token: secret(TOKEN),
    }
}
