//! The manual's pages, as man reads them.

use std::fs;
use std::process::Command;

use parallax_tests::{is_installed, parallax};

use crate::Directory;

/// The verbs that help lists.
fn verbs() -> Vec<String> {
    let help = String::from_utf8(parallax(&["help"]).stdout).unwrap();
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let verbs = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = verbs.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

fn page(verb: Option<&str>) -> String {
    let arguments: Vec<_> = ["man"].into_iter().chain(verb).collect();
    let done = parallax(&arguments);
    assert!(done.status.success(), "{done:?}");
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn every_verb_has_a_page_that_man_reads_without_a_warning() {
    if !is_installed("man", "man-db") || !is_installed("groff", "groff-base") {
        return;
    }
    let directory = Directory::new("man");
    let verbs = verbs();
    assert!(verbs.len() > 9, "{verbs:?}");
    let pages = [None]
        .into_iter()
        .chain(verbs.iter().map(|verb| Some(verb.as_str())));
    for verb in pages {
        let path = directory.join("page.1");
        fs::write(&path, page(verb)).unwrap();
        let done = Command::new("man")
            .args(["--warnings", "--local-file"])
            .arg(&path)
            .env("LC_ALL", "C.UTF-8")
            .env("MANWIDTH", "80")
            .output()
            .unwrap();
        let (text, warnings) = (
            String::from_utf8(done.stdout),
            String::from_utf8(done.stderr),
        );
        let (text, warnings) = (text.unwrap(), warnings.unwrap());
        assert!(
            done.status.success() && warnings.is_empty(),
            "{verb:?}: {warnings}"
        );
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS"] {
            assert!(text.lines().any(|line| line == section), "{verb:?}: {text}");
        }
    }
}

#[test]
fn a_page_tells_flags_variables_and_where_the_other_pages_are() {
    let run = page(Some("run"));
    for told in [
        r"\-\-upstream",
        "PARALLAX_UPSTREAM",
        "127.0.0.1:8090",
        ".TH PARALLAX-RUN 1",
    ] {
        assert!(run.contains(told), "{told}: {run}");
    }
    assert!(page(None).contains(r"parallax\-run(1)"));
    let done = parallax(&["man", "riot"]);
    assert_eq!(done.status.code(), Some(2));
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(
        said.contains("riot") && said.contains("parallax help"),
        "{said}"
    );
}
