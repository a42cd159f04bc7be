//! Captures that are packed with gzip, and captures that are still being made.

use std::io::{Cursor, Read, Write as _};
use std::sync::mpsc;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use parallax_captures::import::ImportError;
use parallax_captures::import::packets::PacketReader;

use super::files::{Layout, packets, read, read_whole};
use super::support::{recorded, segments};

const RECORDING: &str = "server-0.8.0_sdk-0.10.0/polls.pcap";

const PLAIN: Layout = Layout {
    big_endian: false,
    nanoseconds: false,
    link: 1,
};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_packed_file_gives_the_same_segments_in_one_member_or_many() {
    let expected = segments(&recorded(RECORDING));
    let pcapng = PLAIN.pcapng(&packets(&recorded(RECORDING)), 6, 0);
    for file in [std::fs::read(recorded(RECORDING)).unwrap(), pcapng] {
        assert_eq!(read_whole(gzip(&file)), expected);
        let members = file.chunks(1000).flat_map(gzip);
        assert_eq!(read_whole(members.collect::<Vec<_>>()), expected);
    }
}

#[test]
fn a_packed_file_that_is_cut_gives_what_stands_before_the_cut_and_says_so() {
    let packed = gzip(&std::fs::read(recorded(RECORDING)).unwrap());
    let whole = segments(&recorded(RECORDING));
    for at in [1000, packed.len() / 2, packed.len() - 9] {
        let (read, error) = read(&packed[..at]);
        assert_eq!(read, whole[..read.len()]);
        let error = error.unwrap();
        assert!(matches!(error, ImportError::Unpack { .. }), "{error}");
        assert!(error.to_string().contains("gzip -t"), "{error}");
    }
    let mut damaged = packed.clone();
    damaged[2000..2010].fill(0xff);
    let (_, error) = read(damaged);
    assert!(error.is_some());
}

#[test]
fn what_is_packed_twice_or_holds_no_capture_is_named() {
    let twice = gzip(&gzip(&std::fs::read(recorded(RECORDING)).unwrap()));
    let (_, error) = read(twice);
    let message = error.unwrap().to_string();
    assert!(message.contains("inside a gzip file"), "{message}");
    let (_, error) = read(gzip(b"a letter to a friend"));
    let message = error.unwrap().to_string();
    assert!(message.contains("a letter to a fr"), "{message}");
}

/// A gigabyte of packets that are all the same packs to a megabyte. It is read one
/// packet at a time.
#[test]
fn a_small_file_that_unpacks_to_much_is_read_in_the_memory_of_a_packet() {
    let packet = packets(&recorded(RECORDING)).swap_remove(10);
    let file = PLAIN.pcap(&vec![packet; 1000]);
    let mut members = gzip(&file[..24]);
    let repeated = gzip(&file[24..]);
    for _ in 0..1000 {
        members.extend(&repeated);
    }
    let mut reader = PacketReader::new(Cursor::new(members)).unwrap();
    let mut count = 0;
    for segment in reader.by_ref() {
        count += 1;
        assert_eq!(segment.unwrap().packet, count);
    }
    assert_eq!(count, 1_000_000);
}

/// What another end writes, as through a pipe.
struct Pipe(mpsc::Receiver<Vec<u8>>, Cursor<Vec<u8>>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.1.read(buffer)?;
        if read > 0 {
            return Ok(read);
        }
        match self.0.recv() {
            Ok(bytes) => {
                self.1 = Cursor::new(bytes);
                self.1.read(buffer)
            }
            Err(mpsc::RecvError) => Ok(0),
        }
    }
}

#[test]
fn a_packet_comes_out_as_soon_as_it_is_written() {
    let packets = packets(&recorded(RECORDING));
    let expected = segments(&recorded(RECORDING));
    for (header, pcap) in [(24, true), (100, false)] {
        let of = |packets: &[_]| {
            if pcap {
                PLAIN.pcap(packets)
            } else {
                PLAIN.pcapng(packets, 6, 0)
            }
        };
        let headers = of(&[]);
        assert_eq!(headers.len(), header);
        let (writer, pipe) = mpsc::channel();
        writer.send(headers).unwrap();
        let (told, segments) = mpsc::channel();
        let reading = std::thread::spawn(move || {
            let pipe = Pipe(pipe, Cursor::default());
            for segment in PacketReader::new(pipe).unwrap() {
                told.send(segment.unwrap()).unwrap();
            }
        });
        for index in 0..5 {
            let packet = of(&packets[index..=index])[header..].to_vec();
            writer.send(packet).unwrap();
            let segment = segments.recv_timeout(Duration::from_secs(30)).unwrap();
            assert_eq!(segment, expected[index]);
        }
        drop(writer);
        reading.join().unwrap();
    }
}
