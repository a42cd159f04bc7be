//! Where an export goes.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{IsTerminal as _, Write as _, stderr, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jiff::Timestamp;
use parallax_captures::private;

use super::output::Output;
use super::same_file;

/// How to have what takes long to build.
#[cfg(not(feature = "parquet"))]
pub(super) const BUILD_WITH: &str =
    "build it with cargo build --release --features parquet (some minutes more)";

/// What `--output` says.
pub(super) enum Target {
    Standard,
    File(PathBuf),
    Address(String),
}

impl Target {
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        Ok(match text.split_once("://") {
            _ if text == "-" => Self::Standard,
            Some(("file" | "s3", _)) => Self::Address(text.to_owned()),
            Some((scheme, _)) => {
                bail!("--output {scheme}://…: only file:// and s3:// addresses can be written to")
            }
            None => Self::File(text.into()),
        })
    }

    /// # Errors
    /// It is one of these, which would be lost.
    pub(super) fn is_none_of(&self, files: &[PathBuf]) -> anyhow::Result<()> {
        let Self::File(path) = self else {
            return Ok(());
        };
        if let Some(file) = files.iter().find(|file| same_file(file, path)) {
            bail!(
                "--output {} is the capture that is to be read",
                file.display()
            );
        }
        Ok(())
    }

    /// Opens it; `name` is the file's where it only says a folder.
    pub(super) fn open(self, name: &str, is_binary: bool) -> anyhow::Result<Output> {
        match self {
            Self::Standard if is_binary && stdout().is_terminal() => bail!(
                "this form is not text, and standard output is a terminal: name a file with \
                 --output FILE"
            ),
            Self::Standard => Ok(Output::standard()),
            Self::File(path) => {
                let path = if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                    tell(&path.join(name).display().to_string());
                    path.join(name)
                } else {
                    path
                };
                file(&path)
            }
            Self::Address(address) => {
                let address = if address.ends_with('/') {
                    tell(&format!("{address}{name}"));
                    format!("{address}{name}")
                } else {
                    address
                };
                remote(&address)
            }
        }
    }
}

/// A name that no other export has: whose it is, from when, and 64 random bits.
pub(super) fn made_up_name(source: &str, time: Timestamp, extension: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
    let source: String = source
        .chars()
        .map(|letter| if plain(letter) { letter } else { '-' })
        .collect();
    let time = time.strftime("%Y%m%dT%H%M%SZ");
    // A fresh hasher's keys are random.
    let random = RandomState::new().hash_one(std::process::id());
    format!("{source}-{time}-{random:016x}.{extension}")
}

fn tell(name: &str) {
    let _ = writeln!(stderr(), "parallax: writing {name}");
}

fn file(path: &Path) -> anyhow::Result<Output> {
    let file = private::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Output::file(file))
}

#[cfg(feature = "parquet")]
fn remote(address: &str) -> anyhow::Result<Output> {
    Output::remote(address)
}

#[cfg(not(feature = "parquet"))]
fn remote(_: &str) -> anyhow::Result<Output> {
    bail!("this parallax is built without addresses to write to: {BUILD_WITH}")
}
