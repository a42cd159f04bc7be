//! The program while it runs.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use crate::{PageAddress, program};

/// A started `parallax`; killed when this is dropped.
pub struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    /// Starts the program with these arguments.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, |_| {})
    }

    /// The same, once `change` has had its way with how it is started.
    pub fn start_with(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        Self::start_as(program(), arguments, change)
    }

    /// The same of whatever becomes the program.
    pub fn start_as(
        starter: impl AsRef<OsStr>,
        arguments: &[&str],
        change: impl FnOnce(&mut Command),
    ) -> Self {
        let mut command = Command::new(starter);
        command.args(arguments).stdout(Stdio::piped());
        change(&mut command);
        let mut child = command.spawn().expect("the program can be started");
        let out = child.stdout.take().expect("it is piped");
        Self {
            child,
            lines: BufReader::new(out).lines(),
        }
    }

    /// Reads its output up to a line that holds `wanted`, and gives that line.
    pub fn line_with(&mut self, wanted: &str) -> String {
        self.lines
            .by_ref()
            .map(|line| line.expect("it prints text"))
            .find(|line| line.contains(wanted))
            .unwrap_or_else(|| panic!("the program ended before it printed {wanted:?}"))
    }

    /// The page's address, which it prints on starting.
    pub fn page(&mut self) -> PageAddress {
        let line = self.line_with("page  ");
        let start = line.rfind("http://").expect("it was found");
        PageAddress::of(line[start..].trim())
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_none()
    }

    /// Its process number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ctrl-C, then its exit status.
    pub fn interrupt(self) -> ExitStatus {
        self.signal("INT");
        self.ended()
    }

    /// Its exit status, once it has ended.
    pub fn ended(mut self) -> ExitStatus {
        self.child.wait().expect("it ends")
    }

    /// Ctrl-C, then the line that sums up what it saw.
    pub fn ended_with(mut self) -> String {
        self.signal("INT");
        let lines = self
            .lines
            .by_ref()
            .map(|line| line.expect("it prints text"));
        let sums_up = |line: &String| line.contains(" exchanges, ");
        lines.filter(sums_up).last().unwrap_or_default()
    }

    /// Sends it a signal, by its name without `SIG`.
    pub fn signal(&self, name: &str) {
        let (id, name) = (self.child.id().to_string(), format!("-{name}"));
        let sent = Command::new("kill").args([&name, &id]).status();
        assert!(sent.expect("kill can be started").success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
