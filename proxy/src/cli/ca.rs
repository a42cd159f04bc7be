use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Outcome, say};
use crate::tls::authority::{AuthorityFiles, LOCAL_NAMES, create, renew};

/// Make a local authority and a certificate by it, so that clients can speak TLS with parallax.
///
/// Each file has mode 0600, and a directory that is made for them 0700. Clients are told of ca.pem;
/// the keys are for nobody. What is there is never overwritten, unless a new certificate is asked for.
#[derive(Debug, Args)]
pub(super) struct CaArguments {
    /// Where it is kept.
    #[arg(long, value_name = "DIRECTORY", default_value = "parallax-ca")]
    directory: PathBuf,
    /// A name or an address under which clients reach parallax, besides localhost and the
    /// addresses of this machine for itself; may be given several times.
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Make another certificate by the authority that is there: for other names, or for longer.
    /// Clients that know the authority take it; parallax does after SIGHUP.
    #[arg(long)]
    renew: bool,
}

pub(super) fn ca(arguments: &CaArguments) -> anyhow::Result<Outcome> {
    let CaArguments {
        directory,
        name: names,
        renew: is_renewed,
    } = arguments;
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let make = if *is_renewed { renew } else { create };
    let validity = make(directory, names, today)?;
    let files = AuthorityFiles::of(directory);
    let (authority, served) = (
        files.authority.display(),
        files.served.certificate.display(),
    );
    let local = LOCAL_NAMES.map(str::to_owned);
    let all: Vec<_> = local.iter().chain(names).map(String::as_str).collect();
    if let Some(until) = validity.authority {
        say(format!("authority    {authority}, until {until}"));
    }
    say(format!(
        "certificate  {served}, until {}, for {}",
        validity.served,
        all.join(", ")
    ));
    let directory = directory.display();
    if *is_renewed {
        say("Send parallax SIGHUP, or start it again. Clients need nothing new.");
        return Ok(Outcome::NothingFound);
    }
    let host = names.first().map_or("localhost", String::as_str);
    say(format!(
        "\nparallax     parallax run --tls-ca {directory}\n\
         clients      give them {authority}, and no other of these files. In Iggy's Rust SDK:\n\
         \x20            tls_enabled = true, tls_domain = \"{host}\", tls_ca_file = \"{authority}\""
    ));
    Ok(Outcome::NothingFound)
}
