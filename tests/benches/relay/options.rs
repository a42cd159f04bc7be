//! What the benchmark was asked for.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use parallax_tests::load::Kind;

/// A folder for what the relays write.
pub(crate) fn scratch() -> PathBuf {
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("relay-bench");
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).expect("the target folder can be written to");
    scratch
}

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) rounds: usize,
    /// Of each measurement.
    pub(crate) duration: Duration,
    /// Polls a second at which latency is measured; by `HAProxy`'s highest, unless given.
    pub(crate) rate: Option<f64>,
    load: Option<String>,
    without: Vec<String>,
}

impl Options {
    /// By the process's arguments.
    pub(crate) fn of_process() -> Self {
        let mut options = Self {
            rounds: 7,
            duration: Duration::from_secs(2),
            rate: None,
            load: None,
            without: Vec::new(),
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("a value after the option");
            match argument.as_str() {
                // Cargo says so.
                "--bench" => {}
                "--rounds" => options.rounds = value().parse().expect("a number of rounds"),
                "--seconds" => {
                    let seconds = value().parse().expect("a number of seconds");
                    options.duration = Duration::from_secs_f64(seconds);
                }
                "--rate" => options.rate = Some(value().parse().expect("polls a second")),
                "--load" => options.load = Some(value()),
                "--without" => options.without.push(value()),
                other => panic!(
                    "{other}: known are --rounds N, --seconds S, --rate POLLS, --load NAME, \
                     --without RELAY"
                ),
            }
        }
        options
    }

    pub(crate) fn wants(&self, load: &str) -> bool {
        self.load.as_deref().is_none_or(|wanted| wanted == load)
    }

    pub(crate) fn kinds(&self) -> Vec<Kind> {
        let without = |kind: &Kind| self.without.iter().any(|name| name == kind.name());
        let mut kinds = Kind::ALL.to_vec();
        kinds.retain(|kind| !without(kind));
        kinds
    }

    /// Figures are worth nothing without the machine.
    pub(crate) fn say_machine(&self) {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let cpu = read("/proc/cpuinfo");
        let mut lines = cpu.lines();
        let model = lines.find(|line| line.starts_with("model name"));
        let model = model.and_then(|line| line.split_once(": "));
        let model = model.map_or("?", |(_, model)| model);
        let count = std::thread::available_parallelism().map_or(0, usize::from);
        println!(
            "{count} x {model}, Linux {}",
            read("/proc/sys/kernel/osrelease").trim()
        );
        println!("load average before: {}", read("/proc/loadavg").trim());
        let congestion = read("/proc/sys/net/ipv4/tcp_congestion_control");
        println!("TCP congestion control: {}", congestion.trim());
        for (program, flag) in [("haproxy", "-v"), ("socat", "-V")] {
            let said = Command::new(program).arg(flag).output();
            let said = said.unwrap_or_else(|_| {
                panic!("{program} is not installed; `apt-get install {program}` gets it")
            });
            let text = String::from_utf8_lossy(&said.stdout).into_owned();
            let line = text.lines().find(|line| line.contains("version"));
            println!("{}", line.unwrap_or(program).trim());
        }
        println!(
            "{} rounds of {:?} for each figure\n",
            self.rounds, self.duration
        );
    }
}
