//! `--ui`: where the page is, and who may see it.

use std::env::VarError;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use parallax_web::Access;

use super::route::own_address;
use crate::live::PageConfig;

#[derive(Debug, Args)]
pub(super) struct UiArguments {
    /// Where the page is served. Its address is printed with a token, new for each run, unless
    /// `PARALLAX_UI_PASSWORD` has a password: then other machines may reach it too.
    #[arg(
        long,
        env = "PARALLAX_UI",
        default_value = "127.0.0.1:8191",
        value_parser = own_address
    )]
    pub(super) ui: String,
    /// With a password: names under which other machines reach the page, besides its addresses;
    /// several with commas.
    #[arg(
        long,
        env = "PARALLAX_UI_HOST",
        value_name = "NAME",
        value_delimiter = ','
    )]
    ui_host: Vec<String>,
}

/// A password on the command line is in every process list, so it has no flag.
pub(super) const UI_PASSWORD: &str = "PARALLAX_UI_PASSWORD";

impl UiArguments {
    /// Where the page is to be, and to whom.
    ///
    /// # Errors
    /// The password is empty or no text, or there are names without one; the system has no
    /// random numbers.
    pub(super) fn page(self) -> anyhow::Result<PageConfig> {
        let access = match std::env::var(UI_PASSWORD) {
            Ok(password) => Access::with_password(password, self.ui_host).context(UI_PASSWORD)?,
            Err(VarError::NotUnicode(_)) => bail!("{UI_PASSWORD} is not text (UTF-8)"),
            Err(VarError::NotPresent) if self.ui_host.is_empty() => Access::with_token()?,
            Err(VarError::NotPresent) => {
                bail!("--ui-host is for a page with a password: set one in {UI_PASSWORD}")
            }
        };
        Ok(PageConfig {
            listen: self.ui,
            access: Arc::new(access),
        })
    }
}
