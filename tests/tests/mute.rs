//! `--mute`: what is muted is counted, can be shown, and does not count as wrong.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::path::PathBuf;
use std::process::Output;

use parallax_captures::catalog;
use parallax_tests::{parallax, recording};
use serde_json::Value;

/// A file of rules that is gone when the test ends.
struct Rules(PathBuf);

impl Rules {
    fn new(name: &str, text: &str) -> Self {
        let name = format!("parallax-{name}-{}.toml", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        // Another test's file is not touched; a file that is gone is gone.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn inspect(rules: &Rules, arguments: &[&str]) -> Output {
    let file = recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let mut all = vec!["inspect", "--mute", rules.path()];
    all.extend(arguments);
    all.push(file.to_str().unwrap());
    parallax(&all)
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Everything that the recording may show.
fn all() -> String {
    let codes: Vec<_> = catalog::all().map(|one| one.code.to_string()).collect();
    format!("[[mute]]\ncodes = {codes:?}\nbecause = \"the broken partition of the drill\"\n")
}

#[test]
fn where_all_findings_are_muted_nothing_is_wrong_and_it_is_said_how_many_are() {
    let rules = Rules::new("all", &all());
    let output = inspect(&rules, &["--findings"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = text(&output);
    assert!(said.contains("no findings in"), "{said}");
    assert!(said.contains("(--muted shows the findings)"), "{said}");
    assert!(!said.contains("PX102 error"), "{said}");
}

#[test]
fn muted_findings_are_shown_where_they_are_asked_for_and_say_what_mutes_them() {
    let rules = Rules::new("shown", &all());
    let said = text(&inspect(&rules, &["--findings", "--muted"]));
    assert!(said.contains("PX102 error"), "{said}");
    let by = format!("muted by {}, line 1: the broken partition", rules.path());
    assert!(said.contains(&by), "{said}");

    let quiet = text(&inspect(&rules, &["--findings", "--json"]));
    assert_eq!(quiet, "");
    let shown = text(&inspect(&rules, &["--findings", "--muted", "--json"]));
    let findings = shown
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let findings: Vec<Value> = findings.collect();
    assert!(!findings.is_empty());
    assert!(findings.iter().all(|finding| finding["muted"] == true));
}

#[test]
fn what_no_rule_names_is_wrong_as_before() {
    let rules = Rules::new("some", "[[mute]]\ncodes = [\"PX103\"]\n");
    let output = inspect(&rules, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let exchanges: Vec<Value> = text(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let named = |field: &str, code: &str| {
        let codes = |exchange: &&Value| exchange[field].to_string().contains(code);
        exchanges.iter().filter(codes).count()
    };
    assert!(named("findings", "PX102") > 0);
    assert_eq!(named("findings", "PX103"), 0);
    assert!(named("muted_findings", "PX103") > 0);
}

#[test]
fn a_rule_that_cannot_be_understood_is_named_with_its_line_and_nothing_is_read() {
    let rules = Rules::new("wrong", "[[mute]]\ncodes = [\"PX105\"]\ntopics = \"x\"\n");
    for arguments in [&[][..], &["--json"], &["--findings"]] {
        let output = inspect(&rules, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("line 3") && said.contains("topics"), "{said}");
        assert!(said.contains(rules.path()), "{said}");
    }
    let output = parallax(&["run", "--mute", "no-such-file.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no-such-file.toml"), "{said}");
}
