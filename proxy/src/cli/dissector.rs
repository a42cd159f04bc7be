use std::io::{Write as _, stdout};

use clap::Args;
use parallax_captures::dissector::dissector;

use super::Outcome;

/// Print a dissector for Wireshark 4: both dialects of Iggy's binary protocol, in Lua.
///
/// Put it into Wireshark's folder for Lua plugins (Help > About Wireshark > Folders >
/// Personal Lua Plugins):
///
/// parallax dissector > ~/.local/lib/wireshark/plugins/iggy.lua
///
/// or give it to tshark for one run:
///
/// tshark -X lua_script:iggy.lua -r FILE
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct DissectorArguments {}

pub(super) fn print(_: &DissectorArguments) -> anyhow::Result<Outcome> {
    stdout().lock().write_all(dissector().as_bytes())?;
    Ok(Outcome::NothingFound)
}
