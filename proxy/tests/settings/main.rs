//! Settings in layers, and `parallax doctor`, as a user has them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod doctor;
mod layers;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A directory of its own, in which the program runs; gone with it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("parallax-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn with(name: &str, text: &str) -> Self {
        let place = Self::new(name);
        std::fs::write(place.0.join("parallax.toml"), text).unwrap();
        place
    }

    fn path(&self) -> &Path {
        &self.0
    }

    /// The program in it, with nothing of ours in its environment.
    fn parallax(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
        let ours = std::env::vars().map(|(name, _)| name);
        for name in ours.filter(|name| name.starts_with("PARALLAX_")) {
            command.env_remove(name);
        }
        command.current_dir(&self.0).args(arguments);
        command
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
