//! Settings in layers: flags, then the environment (`PARALLAX_*`), then `parallax.toml`,
//! then defaults.
//!
//! What the file says becomes the defaults of clap's own command, by the long flags' names:
//! so there is one description of every setting, one parser of every value, and clap itself
//! puts the layers in their order. A library of layers (figment) would need every setting
//! described a second time, and knows neither what clap's parsers accept nor the line of
//! what it refuses.

mod environment;
mod error;
mod file;
mod layers;
mod print;
mod routes;
mod schema;
#[cfg(test)]
mod tests;

pub(super) use error::ConfigError;
pub(super) use layers::Layers;
pub(super) use print::{ConfigArguments, print};
