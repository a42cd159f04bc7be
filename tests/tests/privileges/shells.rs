//! Completions, as the shells read them.

use std::process::{Command, Stdio};

use parallax_tests::{is_installed, parallax};

use crate::Directory;

fn completions(shell: &str) -> String {
    let done = parallax(&["completions", shell]);
    assert!(done.status.success(), "{done:?}");
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn bash_completes_verbs_flags_and_values() {
    let directory = Directory::new("bash");
    let script = directory.join("parallax.bash");
    std::fs::write(&script, completions("bash")).unwrap();
    for (words, wanted) in [
        (&["parallax", "ins"][..], "inspect"),
        (&["parallax", "run", "--ups"], "--upstream"),
        (
            &["parallax", "run", "--on-overload", "slow"],
            "slow-clients",
        ),
        (&["parallax", "export", "x", "--format", "parq"], "parquet"),
    ] {
        let ask = format!(
            "source {} && COMP_WORDS=({}) && COMP_CWORD={} && \
             _parallax parallax {:?} {:?} && printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.display(),
            words.join(" "),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        let done = Command::new("bash").args(["-c", &ask]).output().unwrap();
        let said = String::from_utf8(done.stdout).unwrap();
        let error = String::from_utf8(done.stderr).unwrap();
        assert!(
            said.lines().any(|line| line == wanted) && error.is_empty(),
            "{words:?}: {said}{error}"
        );
    }
}

#[test]
fn zsh_and_fish_can_read_theirs() {
    for shell in ["zsh", "fish"] {
        let script = completions(shell);
        assert!(
            script.contains("--upstream") || script.contains("-l upstream"),
            "{script}"
        );
        if !is_installed(shell, shell) {
            continue;
        }
        let mut reader = Command::new(shell)
            .arg("-n")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = reader.stdin.take().unwrap();
        std::io::Write::write_all(&mut input, script.as_bytes()).unwrap();
        drop(input);
        let done = reader.wait_with_output().unwrap();
        assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    }
}
