//! Runs tshark, and reads what it shows.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use parallax_tests::{is_installed, parallax};

pub(crate) fn tshark_is_there() -> bool {
    is_installed("tshark", "tshark")
}

/// A field as tshark shows it: its place in the data that it was found in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    pub(crate) name: String,
    pub(crate) at: usize,
    pub(crate) length: usize,
    pub(crate) value: String,
    pub(crate) inner: Vec<Self>,
}

/// A frame of Iggy's.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShownFrame {
    pub(crate) packet: u64,
    pub(crate) frame: Shown,
}

impl ShownFrame {
    /// The value of the first field of this name, however deep.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.all(name).first().map(|field| field.value.as_str())
    }

    /// All fields of this name.
    pub(crate) fn all(&self, name: &str) -> Vec<&Shown> {
        let mut found = Vec::new();
        collect(&self.frame, name, &mut found);
        found
    }

    pub(crate) fn is_reply(&self) -> bool {
        self.value("iggy.response_to").is_some()
    }
}

fn collect<'a>(field: &'a Shown, name: &str, found: &mut Vec<&'a Shown>) {
    if field.name == name {
        found.push(field);
    }
    for inner in &field.inner {
        collect(inner, name, found);
    }
}

/// What the program prints, in a file.
fn dissector() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let printed = parallax(&["dissector"]);
        assert!(printed.status.success());
        let file = crate::pcap::scratch("iggy.lua");
        std::fs::write(&file, printed.stdout).unwrap();
        file
    })
}

/// Runs tshark with the dissector over a capture. Nothing that it says is about Lua.
pub(crate) fn tshark(capture: &Path, arguments: &[&str]) -> String {
    let output = Command::new("tshark")
        .arg("-X")
        .arg(format!("lua_script:{}", dissector().display()))
        .arg("-r")
        .arg(capture)
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {said}", capture.display());
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    for text in [&said, &shown] {
        let fault = text
            .lines()
            .find(|line| line.to_lowercase().contains("lua error"));
        assert_eq!(fault, None, "{}", capture.display());
    }
    shown
}

/// The frames of Iggy's in a capture. Read twice, so that a request tells its reply.
pub(crate) fn frames(capture: &Path) -> Vec<ShownFrame> {
    frames_with(capture, &[])
}

pub(crate) fn frames_with(capture: &Path, arguments: &[&str]) -> Vec<ShownFrame> {
    let fixed = ["-2", "-T", "pdml", "-J", "iggy frame"];
    let shown = tshark(capture, &[&fixed, arguments].concat());
    let mut packet = 0;
    let mut open: Vec<Shown> = Vec::new();
    let mut found = Vec::new();
    for line in shown.lines().map(str::trim_start) {
        if line.starts_with("<field name=\"frame.number\"") {
            packet = attribute(line, "show").parse().unwrap();
        } else if line.starts_with("<proto name=\"iggy\"") {
            open = vec![field(line)];
        } else if line.starts_with("</proto>") {
            if let Some(frame) = open.pop() {
                found.push(ShownFrame { packet, frame });
            }
        } else if line.starts_with("<proto name=\"_ws.malformed\"") {
            // Beside a warning of ours; alone it is an exception, and a fault of ours.
            let frame = open.last_mut().expect("the dissector ran to its end");
            frame.inner.push(field(line));
        } else if open.is_empty() {
            // Another protocol's.
        } else if line.starts_with("<field ") {
            if line.ends_with("/>") {
                open.last_mut().unwrap().inner.push(field(line));
            } else {
                open.push(field(line));
            }
        } else if line.starts_with("</field>") {
            let inner = open.pop().unwrap();
            open.last_mut().unwrap().inner.push(inner);
        }
    }
    found
}

fn field(line: &str) -> Shown {
    Shown {
        name: attribute(line, "name"),
        at: attribute(line, "pos").parse().unwrap_or_default(),
        length: attribute(line, "size").parse().unwrap_or_default(),
        value: attribute(line, "show"),
        inner: Vec::new(),
    }
}

fn attribute(line: &str, name: &str) -> String {
    let Some((_, rest)) = line.split_once(&format!(" {name}=\"")) else {
        return String::new();
    };
    let value = rest.split('"').next().unwrap();
    let escapes = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    escapes
        .iter()
        .fold(value.to_owned(), |text, (escape, plain)| {
            text.replace(escape, plain)
        })
}
