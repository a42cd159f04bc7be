//! Much traffic: the packets of recordings over and over, each time of another client
//! and later.

use std::io::Read;

use super::wire::{HEADER, Packet, recorded};

/// A pcap file of about so many bytes, made as it is read.
pub struct Traffic {
    /// Each with the number of its recording.
    packets: Vec<(usize, Packet)>,
    recordings: usize,
    /// How long the packets last, in microseconds.
    lasts: u64,
    /// Packets given so far.
    given: usize,
    left: u64,
    ready: Vec<u8>,
    at: usize,
}

impl Traffic {
    /// The packets of these recordings at once, over and over.
    pub fn of(recordings: &[&str], bytes: u64) -> Self {
        let mut packets = Vec::new();
        for (index, name) in recordings.iter().enumerate() {
            let of_it = recorded(name);
            let first = of_it[0].time;
            packets.extend(of_it.into_iter().map(|mut packet| {
                packet.time -= first;
                (index, packet)
            }));
        }
        packets.sort_by_key(|(_, packet)| packet.time);
        let lasts = packets.last().unwrap().1.time + 1000;
        Self {
            packets,
            recordings: recordings.len(),
            lasts,
            given: 0,
            left: bytes,
            ready: HEADER.to_vec(),
            at: 0,
        }
    }

    fn next(&mut self) {
        self.ready.clear();
        self.at = 0;
        let round = self.given / self.packets.len();
        let (index, mut packet) = self.packets[self.given % self.packets.len()].clone();
        packet.time += 1_790_000_000_000_000 + self.lasts * round as u64;
        // The client of this recording and round: another host.
        let host = (round * self.recordings + index) % 60_000;
        let host = u16::try_from(host).unwrap().to_be_bytes();
        let client = if packet.data[34..36] == 8090_u16.to_be_bytes()
            || packet.data[34..36] == 3000_u16.to_be_bytes()
        {
            30
        } else {
            26
        };
        packet.data[client + 2..client + 4].copy_from_slice(&host);
        self.given += 1;
        packet.write(&mut self.ready);
        self.left = self.left.saturating_sub(self.ready.len() as u64);
    }
}

impl Read for Traffic {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut read = 0;
        while read < buffer.len() {
            if self.at == self.ready.len() {
                if self.left == 0 {
                    break;
                }
                self.next();
            }
            let length = (self.ready.len() - self.at).min(buffer.len() - read);
            buffer[read..read + length].copy_from_slice(&self.ready[self.at..self.at + length]);
            self.at += length;
            read += length;
        }
        Ok(read)
    }
}
