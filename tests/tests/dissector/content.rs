//! What is no frame, or stands where none is expected.

use parallax_codec::Direction::{ToClient, ToServer};
use parallax_codec::commands::{LoginUser, PollMessages};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, PollingKind, PollingStrategy, Secret,
};
use parallax_codec::{Encode as _, classic, code};

use super::pcap::Pcap;
use super::same::compare;
use super::tshark::{frames, tshark, tshark_is_there};

const PASSWORD: &str = "open-sesame";

fn login() -> Vec<u8> {
    let login = LoginUser {
        username: "ali".to_owned(),
        password: Secret::new(PASSWORD),
        version: None,
        context: None,
    };
    classic::encode_request(code::LOGIN_USER, &login.encode()).to_vec()
}

pub(crate) fn poll() -> Vec<u8> {
    let poll = PollMessages {
        consumer: Consumer {
            kind: ConsumerKind::Group,
            id: Identifier::Numeric(1),
        },
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named("metrics".to_owned()),
        partition_id: None,
        partition_layout: PartitionLayout::Flagged,
        strategy: PollingStrategy {
            kind: PollingKind::First,
            value: 0,
        },
        count: 10,
        auto_commit: true,
    };
    classic::encode_request(code::POLL_MESSAGES, &poll.encode()).to_vec()
}

pub(crate) fn logged_in(port: u16) -> Pcap {
    let mut capture = Pcap::to_port(port);
    capture.send(ToServer, &login());
    capture.send(ToClient, &classic::encode_reply(0, &[1, 0, 0, 0]));
    capture
}

/// Bytes that a small generator draws.
fn garbage(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let draw = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u8::try_from(state >> 56).unwrap()
    };
    (0..length).map(draw).collect()
}

#[test]
fn no_bytes_on_the_port_make_the_dissector_fail() {
    if !tshark_is_there() {
        return;
    }
    let mut capture = Pcap::to_port(8090);
    for seed in 0..300 {
        capture.connect();
        let length = usize::try_from(seed * 7).unwrap();
        match seed % 3 {
            0 => {}
            // A connection that begins well, in one dialect or the other.
            1 => capture.send(ToServer, &login()),
            _ => {
                let mut ping = vec![0; 256];
                (ping[49], ping[60]) = (1, 3);
                capture.send(ToServer, &ping);
            }
        }
        capture.send(ToServer, &garbage(seed + 1, length + 1));
        capture.send(ToClient, &garbage(seed + 2, length + 1));
    }
    let file = capture.save("garbage.pcap");
    tshark(&file, &["-V"]);
    tshark(&file, &["-2", "-T", "pdml"]);
}

#[test]
fn a_damaged_body_is_shown_as_far_as_it_can_be_read() {
    if !tshark_is_there() {
        return;
    }
    let mut capture = logged_in(8090);
    let whole = poll();
    for length in 8..whole.len() {
        let body = &whole[8..length];
        capture.send(
            ToServer,
            &classic::encode_request(code::POLL_MESSAGES, body),
        );
        let damaged = garbage(length as u64, length);
        capture.send(ToClient, &classic::encode_reply(0, &damaged));
    }
    let file = capture.save("damaged.pcap");
    let shown = frames(&file);
    let requests: Vec<_> = shown
        .iter()
        .filter(|frame| !frame.is_reply())
        .skip(1)
        .collect();
    assert_eq!(requests.len(), whole.len() - 8);
    for (length, request) in (8..).zip(requests) {
        let cut_flag = length == whole.len() - 1;
        assert!(
            !request.all("iggy.malformed").is_empty() || cut_flag,
            "{length}"
        );
        let topic = request.value("iggy.poll_messages.topic");
        assert_eq!(
            topic == Some("metrics"),
            length >= 8 + 7 + 6 + 9,
            "{length} {topic:?}"
        );
    }
}

#[test]
fn what_the_capture_has_cut_is_said_and_the_rest_is_found() {
    if !tshark_is_there() {
        return;
    }
    let mut capture = logged_in(8090);
    capture.cut_to(40 + 20);
    capture.send(ToServer, &poll());
    capture.send(ToClient, &classic::encode_reply(4100, &[]));
    capture.cut_to(usize::MAX);
    capture.send(ToServer, &poll());
    capture.send(ToClient, &classic::encode_reply(4100, &[]));
    let shown = frames(&capture.save("cut.pcap"));
    let cut: Vec<_> = shown
        .iter()
        .filter(|frame| !frame.all("iggy.cut").is_empty())
        .collect();
    assert_eq!(cut.len(), 1);
    assert_eq!(cut[0].value("iggy.command"), Some("poll_messages"));
    assert_eq!(
        shown.last().unwrap().value("iggy.error"),
        Some("invalid_offset")
    );
}

#[test]
fn a_frame_beyond_the_limit_is_not_gathered() {
    if !tshark_is_there() {
        return;
    }
    let mut capture = logged_in(8090);
    let mut huge = classic::encode_request(code::SEND_MESSAGES, &[]).to_vec();
    huge[..4].copy_from_slice(&(64 * 1024 * 1024 + 5_u32).to_le_bytes());
    capture.send(ToServer, &[huge, vec![7; 1000]].concat());
    capture.send(ToServer, &[7; 1000]);
    // Whoever goes on after it is understood again.
    capture.send(ToServer, &poll());
    let shown = frames(&capture.save("huge.pcap"));
    assert_eq!(shown.len(), 5);
    assert_eq!(shown[2].value("iggy.command"), Some("send_messages"));
    assert!(!shown[2].all("iggy.cut").is_empty());
    assert!(!shown[3].all("iggy.malformed").is_empty());
    assert_eq!(shown[4].value("iggy.command"), Some("poll_messages"));
}

#[test]
fn after_bytes_that_the_capture_lacks_frames_are_found_again() {
    if !tshark_is_there() {
        return;
    }
    let mut capture = logged_in(8090);
    let request = poll();
    // The first half of a request, and the second half of one.
    capture.miss(ToServer, 300);
    capture.send(ToServer, &request[20..]);
    capture.send(ToClient, &classic::encode_reply(0, &[]));
    capture.send(ToServer, &request);
    capture.send(ToClient, &classic::encode_reply(4100, &[]));
    let shown = frames(&capture.save("gap.pcap"));
    let commands: Vec<_> = shown
        .iter()
        .map(|frame| frame.value("iggy.command"))
        .collect();
    let (login, poll) = (Some("login_user"), Some("poll_messages"));
    assert_eq!(commands, [login, login, None, None, poll, poll]);
    assert_eq!(shown[5].value("iggy.error"), Some("invalid_offset"));
}

#[test]
fn another_port_is_recognised_by_content() {
    if !tshark_is_there() {
        return;
    }
    let mut capture = logged_in(5555);
    capture.send(ToServer, &poll());
    capture.send(ToClient, &classic::encode_reply(4100, &[]));
    let file = capture.save("port-5555.pcap");
    let commands: Vec<_> = frames(&file)
        .iter()
        .map(|frame| frame.value("iggy.command").unwrap().to_owned())
        .collect();
    assert_eq!(
        commands,
        ["login_user", "login_user", "poll_messages", "poll_messages"]
    );
    // That port is parallax's own.
    let mut capture = logged_in(8190);
    capture.send(ToServer, &poll());
    capture.send(ToClient, &classic::encode_reply(4100, &[]));
    assert_eq!(compare(&capture.save("port-8190.pcap")).exchanges, 2);
    // Of what is no request nothing is claimed.
    let mut capture = Pcap::to_port(5555);
    capture.send(
        ToServer,
        &[&[40, 0, 0, 0, 100, 0, 0, 0][..], &[9; 36]].concat(),
    );
    assert_eq!(frames(&capture.save("no-request.pcap")).len(), 0);
}

#[test]
fn a_password_is_marked_and_not_in_the_packet_list() {
    if !tshark_is_there() {
        return;
    }
    let file = logged_in(8090).save("password.pcap");
    let list = tshark(&file, &[]);
    assert!(
        list.contains("login_user ali") && !list.contains(PASSWORD),
        "{list}"
    );
    let secret = tshark(&file, &["-Y", "iggy.secret", "-V"]);
    assert!(
        secret.contains(&format!("Password (secret): {PASSWORD}")),
        "{secret}"
    );
}
