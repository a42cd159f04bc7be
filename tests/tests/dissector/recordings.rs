use parallax_captures::Content;
use parallax_codec::Direction::{ToClient, ToServer};
use parallax_proxy::offline::read_capture;
use parallax_tests::recording;

use super::pcap::Pcap;
use super::same::compare;
use super::tshark::{frames, tshark, tshark_is_there};

const SCENARIOS: [&str; 8] = [
    "setup", "polls", "empty", "group", "purge", "segments", "admin", "consumer",
];
const FOLDERS: [&str; 2] = ["server-0.8.0_sdk-0.10.0", "server-0.9-edge_sdk-0.11-edge"];
const BROKEN: &str = "broken-segment_server-0.8.0/group-next-4100.pcap";

fn of_both_servers() -> impl Iterator<Item = String> {
    FOLDERS
        .into_iter()
        .flat_map(|folder| SCENARIOS.map(|scenario| format!("{folder}/{scenario}.pcap")))
}

#[test]
fn of_every_recording_tshark_shows_what_parallax_reads() {
    if !tshark_is_there() {
        return;
    }
    for name in of_both_servers().chain([BROKEN.to_owned()]) {
        let compared = compare(&recording(&name));
        assert!(compared.exchanges > 5, "{name} {compared:?}");
        assert!(
            compared.fields > 10 * compared.exchanges,
            "{name} {compared:?}"
        );
        if name.ends_with("polls.pcap") {
            assert!(compared.messages > 50, "{name} {compared:?}");
        }
    }
}

#[test]
fn frames_are_put_together_from_segments_of_any_length() {
    if !tshark_is_there() {
        return;
    }
    for (name, length) in [
        ("server-0.8.0_sdk-0.10.0/group.pcap", 1),
        ("server-0.8.0_sdk-0.10.0/polls.pcap", 7),
        ("server-0.9-edge_sdk-0.11-edge/polls.pcap", 61),
        ("server-0.9-edge_sdk-0.11-edge/admin.pcap", 255),
    ] {
        let mut capture = Pcap::to_port(8090);
        let exchanges = frames_of(name);
        for (asked, answered) in &exchanges {
            capture.send_cut(ToServer, asked, length);
            capture.send_cut(ToClient, answered, length);
        }
        let file = capture.save(&format!("cut-{length}.pcap"));
        assert_eq!(compare(&file).exchanges, exchanges.len(), "{name}");
    }
}

#[test]
fn many_frames_in_one_segment_are_told_apart_and_paired() {
    if !tshark_is_there() {
        return;
    }
    for folder in FOLDERS {
        let mut capture = Pcap::to_port(8090);
        let exchanges = frames_of(&format!("{folder}/polls.pcap"));
        let (login, others) = exchanges.split_first().unwrap();
        capture.send(ToServer, &login.0);
        capture.send(ToClient, &login.1);
        for some in others.chunks(6) {
            let (asked, answered): (Vec<_>, Vec<_>) = some.iter().cloned().unzip();
            capture.send(ToServer, &asked.concat());
            // The last reply goes on in a second segment.
            let answered = answered.concat();
            let (most, rest) = answered.split_at(answered.len() - 5);
            capture.send(ToClient, most);
            capture.send(ToClient, rest);
        }
        let file = capture.save(&format!("joined-{folder}.pcap"));
        assert_eq!(compare(&file).exchanges, exchanges.len(), "{folder}");
    }
}

#[test]
fn a_refusal_can_be_filtered_and_says_what_it_is() {
    if !tshark_is_there() {
        return;
    }
    let capture = recording(BROKEN);
    let filter = "iggy.status == 4100 && iggy.command == \"poll_messages\" && iggy.refused";
    let lines = tshark(
        &capture,
        &["-Y", filter, "-T", "fields", "-e", "_ws.col.Info"],
    );
    assert!(lines.lines().count() >= 3, "{lines}");
    let told = |line: &str| line == "poll_messages: 4100 invalid_offset";
    assert!(lines.lines().all(told), "{lines}");
    let filter = "iggy.poll_messages.topic == \"metrics\" && iggy.poll_messages.consumer.kind == 2";
    let lines = tshark(
        &capture,
        &["-Y", filter, "-T", "fields", "-e", "_ws.col.Info"],
    );
    assert!(
        lines.contains("poll_messages otel/metrics/… group qw_sink_metrics next count 4"),
        "{lines}"
    );
    let asked = |line: &str| line.starts_with("poll_messages otel/metrics/");
    assert!(
        lines.lines().count() >= 9 && lines.lines().all(asked),
        "{lines}"
    );
}

#[test]
fn a_server_that_answers_in_the_other_dialect_is_told() {
    if !tshark_is_there() {
        return;
    }
    let shown = frames(&recording("skew_python-0.9.0_server-0.8.0/login.pcap"));
    assert_eq!(shown[0].value("iggy.command"), Some("login_register"));
    let answers = &shown[1..];
    let told = |frame: &&super::tshark::ShownFrame| !frame.all("iggy.dialects").is_empty();
    assert!(answers.len() > 5 && answers.iter().all(|frame| told(&frame)));
}

#[test]
fn http_is_left_alone() {
    if !tshark_is_there() {
        return;
    }
    for name in ["http_server-0.8.0", "http_server-0.9-edge"] {
        let capture = recording(&format!("{name}/http.pcap"));
        let decode_as = ["-d", "tcp.port==3000,iggy"];
        assert_eq!(super::tshark::frames_with(&capture, &decode_as).len(), 0);
        assert!(tshark(&capture, &[]).contains("HTTP/1.1 200 OK"));
    }
}

/// The frames of a recording, request and reply.
fn frames_of(name: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let reading = read_capture(&recording(name)).unwrap();
    let first = reading.exchanges[0].conn;
    let of_first = reading.exchanges.iter().filter(|one| one.conn == first);
    let frames = of_first.filter_map(|exchange| match &exchange.content {
        Content::Binary(content) if !content.reply_frame.is_empty() => {
            Some((content.request_frame.to_vec(), content.reply_frame.to_vec()))
        }
        _ => None,
    });
    frames.collect()
}
