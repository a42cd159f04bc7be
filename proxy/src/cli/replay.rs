mod told;

use std::io::{Write as _, stderr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::Args;
use parallax_captures::difference::{Comparer, Rules, Scope};
use parallax_codec::primitives::Secret;

use self::told::Teller;
use super::ignore::IgnoreArguments;
use super::route::address;
use super::signals::Ending;
use super::{Outcome, complain, say};
use crate::limits::REPLAY_TIMEOUT;
use crate::offline::{Reading, read_capture};
use crate::replay::{Connections, Logins, NotSent, Pace, Plan, Serving, Tape, Target, play};

/// Play a capture again: its requests to a server (--to), or the server to clients
/// (--serve).
///
/// With --to the replies are compared with the captured ones, field by field. Requests that change
/// something are not sent without --allow-writes, and said one by one. Passwords and
/// tokens are masked in a capture: `PARALLAX_REPLAY_PASSWORD` and
/// `PARALLAX_REPLAY_TOKEN` give them anew. A login that was refused is refused again.
///
/// Exits 0 when every reply is as it was captured, 1 when one is not (or, with --serve,
/// when something was asked that is not on the tape), 2 when something
/// could not be sent.
///
/// With --serve each request is answered with the captured reply, equal requests in their
/// captured order; once all were given, the last is given again. Any password and token
/// will do. What was not captured is answered with an error, `feature_unavailable`, and
/// said.
#[derive(Debug, Args)]
pub(super) struct ReplayArguments {
    /// A capture: pcap or pcapng.
    file: PathBuf,
    /// The server to send the captured requests to, host:port.
    #[arg(
        long,
        value_name = "ADDRESS",
        required_unless_present = "serve",
        value_parser = address
    )]
    to: Option<String>,
    /// Be the server, from tape.
    #[arg(long, conflicts_with_all = ["to", "pace", "connections", "allow_writes", "user",
        "timeout", "json"])]
    serve: bool,
    /// Where the tape speaks the binary protocol.
    #[arg(long, default_value = "127.0.0.1:8090", requires = "serve")]
    listen: String,
    /// Where the tape speaks HTTP.
    #[arg(long, default_value = "127.0.0.1:3000", requires = "serve")]
    http_listen: String,
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
pub(super) const PASSWORD: &str = "PARALLAX_REPLAY_PASSWORD";
pub(super) const TOKEN: &str = "PARALLAX_REPLAY_TOKEN";

pub(super) fn replay(arguments: &ReplayArguments) -> anyhow::Result<Outcome> {
    let rules = arguments.ignore.rules(&[&arguments.file])?;
    let name = arguments.file.display();
    let reading = read_capture(&arguments.file).with_context(|| format!("cannot read {name}"))?;
    for note in &reading.notes {
        let _ = writeln!(stderr(), "parallax: {name}: {note}");
    }
    let outcome = match &arguments.to {
        Some(to) => play_to(to, &reading, &rules, arguments)?,
        None => serve(&reading, rules, arguments)?,
    };
    Ok(damage(arguments, reading).unwrap_or(outcome))
}

fn play_to(
    to: &str,
    reading: &Reading,
    rules: &Rules,
    arguments: &ReplayArguments,
) -> anyhow::Result<Outcome> {
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
    let mut teller = Teller::new(Comparer::new(rules, Scope::Reply), arguments.json);
    teller.begin(&plan, to, arguments);
    let target = Target {
        to: to.to_owned(),
        pace: arguments.pace,
        connections: arguments.connections,
        patience: Duration::from_secs(arguments.timeout),
    };
    tokio::runtime::Runtime::new()
        .context("cannot start the runtime")?
        .block_on(play(plan, &target, |played| teller.played(&played)))
        .map_err(|why| anyhow!("cannot play to {to}: {why}"))?;
    Ok(teller.end())
}

fn serve(reading: &Reading, rules: Rules, arguments: &ReplayArguments) -> anyhow::Result<Outcome> {
    let tape = Tape::of(&reading.exchanges, rules);
    let left_out = tape.left_out();
    tokio::runtime::Runtime::new()
        .context("cannot start the runtime")?
        .block_on(async {
            let serving = Serving::start(tape, &arguments.listen, &arguments.http_listen).await?;
            if left_out > 0 {
                say(format!(
                    "{left_out} exchanges have no reply that can be given"
                ));
            }
            let mut ending = Ending::listen();
            if let Some(tcp) = serving.tcp {
                say(format!(
                    "tape       {tcp}  (any password and token will do)"
                ));
            }
            match serving.http {
                Some(http) => say(format!("tape       http://{http}")),
                None => say("tape       no HTTP exchange was captured: HTTP is not served"),
            }
            say("Ctrl-C ends it.");
            ending.asked().await;
            let served = serving.stop().await;
            say(format!(
                "{} requests answered, {} of them with a reply that had been given before; {} not \
                 on the tape",
                served.answered, served.repeated, served.missing,
            ));
            Ok(if served.missing > 0 {
                Outcome::Found
            } else {
                Outcome::NothingFound
            })
        })
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
