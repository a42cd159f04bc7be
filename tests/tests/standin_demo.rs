//! `parallax demo` with a fault by name, as a user calls it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use parallax_proxy::standin::Fault;
use parallax_tests::{Running, parallax};

#[test]
fn the_list_has_every_fault_and_says_what_it_is() {
    let listed = parallax(&["demo", "--list"]);
    assert_eq!(listed.status.code(), Some(0));
    let text = String::from_utf8(listed.stdout).unwrap();
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("FAULT "), "{text}");
    assert_eq!(lines.clone().count(), Fault::ALL.len());
    for (fault, line) in Fault::ALL.iter().zip(lines) {
        let it = fault.description();
        assert!(line.starts_with(it.name), "{line}");
        assert!(line.ends_with(it.summary), "{line}");
        assert!(line.contains(it.case), "{line}");
    }
    let listed = parallax(&["demo", "--list", "--json"]);
    let text = String::from_utf8(listed.stdout).unwrap();
    let names = text.lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        value["name"].as_str().unwrap().to_owned()
    });
    let known = Fault::ALL.map(|fault| fault.description().name);
    assert_eq!(names.collect::<Vec<_>>(), known);
}

#[test]
fn a_fault_that_there_is_not_or_not_in_that_dialect_is_refused_with_what_to_do() {
    for (arguments, said) in [
        (vec!["demo", "--fault", "nonsense"], "demo --list"),
        (
            vec!["demo", "--fault", "fenced", "--dialect", "classic"],
            "fenced cannot be shown in that dialect, but in vsr",
        ),
    ] {
        let refused = parallax(&arguments);
        assert_eq!(refused.status.code(), Some(2));
        let text = String::from_utf8(refused.stderr).unwrap();
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn a_fault_is_played_its_client_heard_and_what_is_wrong_told() {
    for dialect in ["classic", "vsr"] {
        let arguments = ["demo", "--fault", "empty_first", "--dialect", dialect];
        let mut demo = Running::start(&[&arguments[..], &["--ui", "127.0.0.1:0"]].concat());
        assert!(demo.page().socket.ip().is_loopback());
        demo.line_with("client's log: poll: nothing");
        demo.line_with("PX201");
        assert_eq!(demo.interrupt().code(), Some(1), "there are findings");
    }
}
