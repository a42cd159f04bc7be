use std::io::{Write as _, stdout};

use clap::Args;
use parallax_captures::dissector::dissector;

use super::Outcome;

/// Where it goes.
const INSTALLING: &str = "\
Put it into Wireshark's folder for Lua plugins (Help > About Wireshark > Folders > Personal Lua Plugins):
  parallax dissector > ~/.local/lib/wireshark/plugins/iggy.lua
or give it to tshark for one run:
  parallax dissector > iggy.lua
  tshark -X lua_script:iggy.lua -r FILE
TCP ports 8090 and 8190 are Iggy's. Others are recognised by content, or named: tshark -d tcp.port==PORT,iggy";

/// Print a dissector for Wireshark 4: both dialects of Iggy's binary protocol, in Lua.
#[derive(Debug, Args)]
#[command(after_help = INSTALLING)]
pub(super) struct DissectorArguments {}

pub(super) fn print(_: &DissectorArguments) -> anyhow::Result<Outcome> {
    stdout().lock().write_all(dissector().as_bytes())?;
    Ok(Outcome::NothingFound)
}
