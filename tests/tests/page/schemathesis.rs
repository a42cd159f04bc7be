//! What Schemathesis makes of the API's document: right and wrong questions of every kind,
//! and whether the answers are as the document says.

use std::path::Path;
use std::process::Command;

use parallax_tests::python;

use crate::support::Viewed;

/// Expressions for the filter are not just any text: this says which.
const HOOKS: &str = "schemathesis_hooks";

fn no_question_is_answered_otherwise_than_described(viewed: &Viewed) {
    let document = viewed.page.document();
    let token = format!("Authorization: Bearer {}", viewed.page.token);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page");
    let ran = Command::new(python::interpreter())
        .args(["-m", "schemathesis.cli", "run", &document, "-H", &token])
        .args(["--checks", "all", "--phases", "examples,coverage,fuzzing"])
        .args(["--max-examples", "30", "--seed", "1", "--no-color"])
        .env("SCHEMATHESIS_HOOKS", HOOKS)
        .env("PYTHONPATH", folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        // What it remembers from run to run has no place here.
        .current_dir(std::env::temp_dir())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    // Warnings are about what it could not think of: a message that there is.
    let tested = said.lines().find(|line| line.contains("generated"));
    let passed = tested.is_some_and(|line| line.contains("passed") && !line.contains("failed"));
    assert!(passed, "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_of_a_recording_is_as_its_document_says() {
    if python::has("schemathesis", "schemathesis==4.32.5") {
        let viewed = Viewed::recording("broken-segment_server-0.8.0/group-next-4100.pcap");
        no_question_is_answered_otherwise_than_described(&viewed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_of_the_demo_is_as_its_document_says() {
    if python::has("schemathesis", "schemathesis==4.32.5") {
        let mut viewed = Viewed::started(&["demo"]);
        viewed.program.line_with("PX");
        no_question_is_answered_otherwise_than_described(&viewed);
    }
}
