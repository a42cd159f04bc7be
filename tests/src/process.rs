//! The program while it runs.

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
        let mut command = Command::new(program());
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
    pub fn interrupt(mut self) -> ExitStatus {
        self.ask_to_end();
        self.child.wait().expect("it ends")
    }

    /// Ctrl-C, then the line that sums up what it saw.
    pub fn ended_with(mut self) -> String {
        self.ask_to_end();
        let lines = self
            .lines
            .by_ref()
            .map(|line| line.expect("it prints text"));
        let sums_up = |line: &String| line.contains(" exchanges, ");
        lines.filter(sums_up).last().unwrap_or_default()
    }

    fn ask_to_end(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill can be started").success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
