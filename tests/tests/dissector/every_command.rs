use std::path::PathBuf;

use parallax_codec::Direction::{ToClient, ToServer};
use parallax_codec::shape::{self, Parts};
use parallax_codec::vsr::{ReplyHeader, RequestHeader, ResultSection};
use parallax_codec::{COMMANDS, Dialect, Encode as _, classic, code};

use super::entropy::Entropy;
use super::pcap::Pcap;
use super::same::compare;
use super::tshark::tshark_is_there;
use super::write::write;

/// Bodies of each layout of each command.
const EACH: u8 = 12;

#[test]
fn of_every_layout_of_every_command_tshark_shows_what_parallax_reads() {
    if !tshark_is_there() {
        return;
    }
    for (name, dialect) in [("classic", Dialect::Classic), ("vsr", Dialect::Vsr)] {
        let compared = compare(&capture(name, dialect));
        assert!(compared.exchanges > 600, "{name} {compared:?}");
        assert!(compared.messages > 20, "{name} {compared:?}");
    }
}

fn capture(name: &str, dialect: Dialect) -> PathBuf {
    let mut capture = Pcap::to_port(8090);
    // What is made up may begin like another protocol; a ping does not.
    let empty = [vec![]];
    send(&mut capture, dialect, code::PING, &empty, &empty);
    for command in COMMANDS.iter().filter(|command| command.is_in(dialect)) {
        let requests = made_up(dialect, shape::request(dialect, command.code));
        let replies = made_up(dialect, shape::reply(dialect, command.code));
        send(&mut capture, dialect, command.code, &requests, &replies);
    }
    capture.save(&format!("every-command-{name}.pcap"))
}

/// Bodies of these shapes, each with another beginning.
fn made_up(dialect: Dialect, shapes: &[Parts]) -> Vec<Vec<u8>> {
    let of = |seed: u8, shape: Parts| {
        let chosen: Vec<u8> = (0..=255_u8)
            .map(|n| n.wrapping_mul(seed).wrapping_add(seed) ^ (n >> 3))
            .collect();
        write(dialect, shape, &mut Entropy(chosen.iter()))
    };
    let seeds = (1..=EACH).map(|seed| seed.wrapping_mul(41));
    seeds
        .flat_map(|seed| shapes.iter().map(move |shape| of(seed, shape)))
        .collect()
}

fn send(
    capture: &mut Pcap,
    dialect: Dialect,
    code: u32,
    requests: &[Vec<u8>],
    replies: &[Vec<u8>],
) {
    for index in 0..requests.len().max(replies.len()) {
        let request = &requests[index % requests.len()];
        let reply = &replies[index % replies.len()];
        match dialect {
            Dialect::Classic => {
                capture.send(ToServer, &classic::encode_request(code, request));
                capture.send(ToClient, &classic::encode_reply(0, reply));
            }
            Dialect::Vsr => {
                let header = RequestHeader::new(code, request);
                capture.send(ToServer, &header.frame(request));
                let section = if header.operation.is_result_framed() {
                    ResultSection::default().encode().to_vec()
                } else {
                    Vec::new()
                };
                let body = [section, reply.clone()].concat();
                capture.send(
                    ToClient,
                    &ReplyHeader::to(&header, 0, body.len()).frame(&body),
                );
            }
        }
    }
}
