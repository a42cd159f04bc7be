//! A fault is written one way, and what is no fault is told what is wrong.

use crate::faults::{Action, Commands, Fault};

fn fault(text: &str) -> Fault {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_fault_is_read_and_written_the_same() {
    for text in [
        "poll_messages error=invalid_offset every=3",
        "poll_messages empty strategy=first",
        "send_messages drop times=1",
        "any delay=200ms chance=0.1 seed=7",
        "poll_messages cut=100 first=2 stream=demo topic=metrics partition=0 strategy=next",
        "login_user error=9999",
    ] {
        assert_eq!(fault(text).to_string(), text);
    }
}

#[test]
fn numbers_names_and_units_mean_the_same() {
    assert_eq!(
        fault("poll_messages error=4100"),
        fault("poll_messages error=invalid_offset")
    );
    assert_eq!(fault("ping delay=2s").to_string(), "ping delay=2000ms");
    assert_eq!(fault("ping delay=1m").to_string(), "ping delay=60000ms");
    assert_eq!(
        fault("  ping   every=2  drop ").to_string(),
        "ping drop every=2"
    );
    assert_eq!(fault("any drop").commands, Commands::Any);
    assert_eq!(fault("ping cut=0").action, Action::Cut(0));
}

#[test]
fn what_is_no_fault_is_told_what_is_wrong() {
    for (text, expected) in [
        ("", "COMMAND ACTION"),
        ("pol_messages drop", "did you mean poll_messages?"),
        ("poll_messages", "is to have an action"),
        ("poll_messages every=3", "is to have an action"),
        ("poll_messages error", "error needs a value"),
        (
            "poll_messages error=invalid_ofset",
            "did you mean invalid_offset?",
        ),
        ("poll_messages error=0", "0 is success"),
        ("poll_messages drop empty", "two actions"),
        ("poll_messages drop drop", "given twice"),
        ("poll_messages drop=1", "drop has no value"),
        ("poll_messages drop evry=3", "did you mean every?"),
        ("poll_messages drop every=0", "from 1 on"),
        ("poll_messages drop every=-1", "from 1 on"),
        ("poll_messages delay=5", "ms, s or m"),
        ("poll_messages delay=0s", "ms, s or m"),
        ("poll_messages delay=99999999999999999999m", "ms, s or m"),
        ("poll_messages drop chance=0", "at most 1"),
        ("poll_messages drop chance=1.5", "at most 1"),
        ("poll_messages drop chance=NaN", "at most 1"),
        ("poll_messages drop seed=3", "seed is for chance"),
        ("poll_messages drop strategy=frist", "first"),
        ("poll_messages drop partition=5000000000", "no partition"),
        ("ping drop stream=demo", "polls, sends and offsets"),
        ("any drop topic=demo", "polls, sends and offsets"),
        ("ping empty", "empty is for poll_messages"),
        (
            "send_messages drop strategy=first",
            "strategy is for poll_messages",
        ),
    ] {
        let error = text.parse::<Fault>().unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn every_fault_in_the_documentation_is_one() {
    let text = include_str!("../../../../docs/fault-injection.md");
    let cases = text.split("## The cases, one by one").nth(1).unwrap();
    let quoted = cases.split('`').skip(1).step_by(2);
    let faults: Vec<_> = quoted
        .filter(|quoted| quoted.contains(' ') && !quoted.starts_with("parallax"))
        .collect();
    assert!(faults.len() > 12, "{faults:?}");
    for text in faults {
        fault(text);
    }
}
