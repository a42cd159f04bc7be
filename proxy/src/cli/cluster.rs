use clap::Args;
use clap::builder::FalseyValueParser;

use super::say;

/// Where clients of a cluster are told to go.
#[derive(Debug, Args)]
pub(super) struct ClusterArguments {
    /// Have servers' answers name parallax's own listeners in the place of the nodes that
    /// they stand for, so that clients of a cluster do not go around it. Off unless asked
    /// for: it is the one thing in what passes that parallax changes by itself.
    #[arg(
        long,
        env = "PARALLAX_REWRITE_ADDRESSES",
        value_parser = FalseyValueParser::new(),
        conflicts_with = "bypass"
    )]
    pub(super) rewrite_addresses: bool,
}

/// Says what is being rewritten.
pub(super) fn say_rewriting(rewrite_addresses: bool) {
    if rewrite_addresses {
        say("addresses  of nodes are told as parallax's own (--rewrite-addresses)");
    }
}
