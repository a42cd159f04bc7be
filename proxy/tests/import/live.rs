//! A capture that is still being made: `tcpdump -w - | parallax inspect -`.

use std::io::{Cursor, Read};
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Duration;

use parallax_proxy::offline::{ImportOptions, Source, import};

use super::wire::{HEADER, pcap, read, recorded, told};

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);

/// What another end writes.
struct Pipe(mpsc::Receiver<Vec<u8>>, Cursor<Vec<u8>>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.1.read(buffer)?;
        if read > 0 || buffer.is_empty() {
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
fn exchanges_come_out_while_the_capture_goes_on() {
    let packets = recorded("broken-segment_server-0.8.0/group-next-4100.pcap");
    let (expected, summary) = read(pcap(&packets));
    let (writer, pipe) = mpsc::channel();
    writer.send(HEADER.to_vec()).unwrap();
    let (told_one, telling) = mpsc::channel();
    let reading = std::thread::spawn(move || {
        let source = Source::new(Pipe(pipe, Cursor::default())).unwrap();
        let options = ImportOptions {
            live: true,
            ..ImportOptions::default()
        };
        import(source, options, &mut |exchange| {
            told_one.send(exchange).unwrap();
            ControlFlow::Continue(())
        })
    });
    // The first half of it, and then nothing for as long as it takes.
    let (early, late) = packets.split_at(packets.len() / 2);
    writer.send(pcap(early)[24..].to_vec()).unwrap();
    let (whole, _) = read(pcap(early));
    let is_answered =
        |one: &&std::sync::Arc<parallax_captures::Exchange>| one.times.reply.is_some();
    let mut exchanges = Vec::new();
    for _ in whole.iter().filter(is_answered) {
        exchanges.push(telling.recv_timeout(PATIENCE).unwrap());
    }
    writer.send(pcap(late)[24..].to_vec()).unwrap();
    drop(writer);
    let live = reading.join().unwrap().unwrap();
    exchanges.extend(telling.iter());
    assert_eq!(exchanges.len(), expected.len());
    let codes = |findings: &[parallax_captures::Finding]| {
        let mut codes: Vec<_> = findings.iter().map(|one| one.code.0).collect();
        // Those two come of HTTP polls that were made later.
        codes.retain(|code| ![102, 104].contains(code));
        codes.sort_unstable();
        codes
    };
    assert_eq!(codes(&live.findings), codes(&summary.findings));
    // What was written in one go is told like a file.
    let last = exchanges.len() - 1;
    assert_eq!(told(&exchanges)[last], told(&expected)[last]);
}
