//! What stands between client and server: a process, or nothing.

use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;

use serde_json::Value;

use crate::{PageAddress, Running};

/// Which relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// None.
    Direct,
    /// `HAProxy` in TCP mode, its defaults.
    Haproxy,
    /// `socat`, a process for each connection.
    Socat,
    /// parallax that looks at nothing.
    Bypass,
    /// parallax that decodes.
    Decoding,
    /// It asks HTTP as well.
    Mirror,
    /// It records as well.
    Recording,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Direct,
        Self::Haproxy,
        Self::Socat,
        Self::Bypass,
        Self::Decoding,
        Self::Mirror,
        Self::Recording,
    ];

    /// As it stands in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Haproxy => "HAProxy",
            Self::Socat => "socat",
            Self::Bypass => "--bypass",
            Self::Decoding => "decoding",
            Self::Mirror => "+ mirror",
            Self::Recording => "+ recording",
        }
    }
}

/// A relay that runs.
pub struct Through {
    /// Which.
    pub kind: Kind,
    /// Where clients connect.
    pub address: SocketAddr,
    process: Process,
}

enum Process {
    None,
    Other(Child),
    Parallax(Running, PageAddress),
}

impl Through {
    /// Starts it before the server at `tcp`, whose HTTP API is at `http`; files go to
    /// `scratch`.
    pub fn start(kind: Kind, tcp: SocketAddr, http: SocketAddr, scratch: &Path) -> Self {
        let (address, process) = match kind {
            Kind::Direct => (tcp, Process::None),
            Kind::Haproxy => haproxy(tcp, scratch),
            Kind::Socat => socat(tcp),
            Kind::Bypass | Kind::Decoding | Kind::Mirror | Kind::Recording => {
                parallax(kind, tcp, http, scratch)
            }
        };
        Self {
            kind,
            address,
            process,
        }
    }

    /// Processor time that it has used, once it has come to rest.
    pub fn processor_time_at_rest(&self) -> Duration {
        let mut before = self.processor_time();
        loop {
            thread::sleep(Duration::from_millis(200));
            let now = self.processor_time();
            if now.saturating_sub(before) < Duration::from_millis(5) {
                return now;
            }
            before = now;
        }
    }

    /// Processor time that it has used, in user and kernel mode, of threads and child
    /// processes that are still there: `/proc/PID/task/*/schedstat`, in nanoseconds.
    pub fn processor_time(&self) -> Duration {
        let Some(process) = self.process_id() else {
            return Duration::ZERO;
        };
        let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
        let children = children.unwrap_or_default();
        let children = children.split_whitespace().map(str::to_owned);
        let all = children.chain([process.to_string()]);
        all.map(|id| time_of(&id)).sum()
    }

    /// Resident memory in bytes.
    pub fn resident(&self) -> u64 {
        let process = self.process_id().unwrap_or(0);
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        kib.unwrap_or(0) * 1024
    }

    /// Ends parallax, and gives the last line that it prints; `None` of the others.
    pub fn summary(self) -> Option<String> {
        match self.process {
            Process::None => None,
            Process::Other(mut child) => {
                let _ = child.kill();
                let _ = child.wait();
                None
            }
            Process::Parallax(running, _) => Some(running.ended_with()),
        }
    }

    /// Ends parallax, and gives how many exchanges it says it saw; 0 of the others.
    pub fn exchanges(self) -> u64 {
        let summary = self.summary().unwrap_or_default();
        let parts = summary.split(", ");
        let count = parts.filter_map(|part| part.strip_suffix(" exchanges"));
        count.filter_map(|count| count.parse::<u64>().ok()).sum()
    }

    /// What parallax's API answers, as JSON; null of the others.
    pub fn ask(&self, target: &str) -> Value {
        let Process::Parallax(_, page) = &self.process else {
            return Value::Null;
        };
        let runtime = Builder::new_current_thread().enable_all().build();
        let answer = runtime.expect("a runtime").block_on(page.get(target));
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).expect("it is JSON")
    }

    fn process_id(&self) -> Option<u32> {
        match &self.process {
            Process::None => None,
            Process::Other(child) => Some(child.id()),
            Process::Parallax(running, _) => Some(running.id()),
        }
    }
}

fn time_of(process: &str) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    let tasks = tasks.into_iter().flatten().flatten();
    let times = tasks.filter_map(|task| {
        let schedule = fs::read_to_string(task.path().join("schedstat")).ok()?;
        schedule.split_whitespace().next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(times.sum())
}

fn haproxy(server: SocketAddr, scratch: &Path) -> (SocketAddr, Process) {
    let address = free_address();
    let configuration = scratch.join("haproxy.cfg");
    let text = format!(
        "global\n    maxconn 4096\n\
         defaults\n    mode tcp\n    timeout connect 5s\n    timeout client 1h\n    timeout server 1h\n\
         listen relay\n    bind {address}\n    server iggy {server}\n"
    );
    let mut file = fs::File::create(&configuration).expect("the folder is there");
    file.write_all(text.as_bytes()).expect("the disk has room");
    let mut command = Command::new("haproxy");
    command.arg("-f").arg(&configuration);
    (address, other(command, address))
}

fn socat(server: SocketAddr) -> (SocketAddr, Process) {
    let address = free_address();
    let mut command = Command::new("socat");
    command.args(["-b", "65536"]).args([
        format!(
            "TCP-LISTEN:{},bind=127.0.0.1,fork,reuseaddr,nodelay,backlog=512",
            address.port()
        ),
        format!("TCP:{server},nodelay"),
    ]);
    (address, other(command, address))
}

fn other(mut command: Command, address: SocketAddr) -> Process {
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child = child.expect("it is installed");
    let until = Instant::now() + Duration::from_secs(10);
    while TcpStream::connect(address).is_err() {
        assert!(Instant::now() < until, "{command:?} does not listen");
        thread::sleep(Duration::from_millis(10));
    }
    Process::Other(child)
}

fn parallax(
    kind: Kind,
    tcp: SocketAddr,
    http: SocketAddr,
    scratch: &Path,
) -> (SocketAddr, Process) {
    let (tcp, http) = (tcp.to_string(), http.to_string());
    let directory = scratch.join("recording");
    let mut arguments = vec!["run", "--listen", "127.0.0.1:0", "--upstream", &tcp];
    arguments.extend(["--http", &http, "--ui", "127.0.0.1:0"]);
    match kind {
        Kind::Bypass => arguments.push("--bypass"),
        Kind::Decoding => arguments.push("--no-mirror"),
        Kind::Recording => {
            let directory = directory.to_str().expect("a path of letters");
            arguments.extend(["--record", directory]);
        }
        _ => {}
    }
    let mut running = Running::start(&arguments);
    let line = running.line_with("listening  ");
    let mut words = line.split_whitespace();
    let address = words.nth(1).and_then(|word| word.parse().ok());
    let page = running.page();
    let address = address.expect("it says where");
    (address, Process::Parallax(running, page))
}

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound")
}
