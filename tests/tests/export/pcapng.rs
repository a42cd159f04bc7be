use parallax_tests::{all_recordings, parallax, recording};

use super::{export, inspected, path, scratch, stem};

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

#[test]
fn an_export_and_the_export_of_an_export_say_what_the_capture_said() {
    for capture in all_recordings() {
        let name = stem(&capture);
        let once = export(&capture, &format!("{name}-once.pcapng"), &[]);
        let twice = export(&once, &format!("{name}-twice.pcapng"), &[]);
        for file in [&once, &twice] {
            assert_eq!(inspected(file, &[]), inspected(&capture, &[]), "{name}");
            let findings = |file| sorted(inspected(file, &["--findings", "--muted"]));
            assert_eq!(findings(file), findings(&capture), "{name}");
        }
        let length = |file| std::fs::metadata(file).unwrap().len();
        assert_eq!(length(&once), length(&twice), "{name}");
    }
}

#[test]
fn what_is_not_wanted_is_not_exported() {
    let capture = recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let filter = "status == 4100";
    let file = export(&capture, "wanted.pcapng", &["--where", filter]);
    let wanted = inspected(&capture, &["--where", filter]);
    assert!(!wanted.is_empty());
    assert_eq!(inspected(&file, &[]), wanted);
    let findings = |file| sorted(inspected(file, &["--findings", "--where", filter]));
    assert_eq!(findings(&file), findings(&capture));
}

#[test]
fn the_capture_itself_is_not_overwritten_and_captures_are_not_mixed() {
    let capture = scratch("input.pcap");
    std::fs::copy(recording("server-0.8.0_sdk-0.10.0/polls.pcap"), &capture).unwrap();
    let capture = path(&capture);
    for arguments in [
        vec!["export", capture, "--output", capture],
        vec!["export", capture, capture, "--output", "/dev/null"],
        vec!["export", capture, "--output", "ftp://host/file"],
    ] {
        let ran = parallax(&arguments);
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}");
        assert!(!ran.stderr.is_empty());
    }
}
