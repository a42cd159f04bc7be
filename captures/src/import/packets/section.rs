//! What a block of a capture file means: a packet, or what holds for packets.

use bytes::Bytes;
use jiff::Timestamp;
use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{Block, InterfaceDescriptionBlock, LegacyPcapBlock, PcapBlockOwned};

use super::records::Record;
use crate::limits::MAX_CAPTURE_INTERFACES;

/// What holds for the packets that follow: in pcap the file's header, in pcapng
/// the section's header and interfaces.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) big_endian: bool,
    interfaces: Vec<Interface>,
    /// Time of the last packet; a Simple Packet Block has none of its own.
    last_time: Timestamp,
}

#[derive(Debug, Clone, Copy)]
struct Interface {
    link: u32,
    snaplen: u32,
    /// Units of a second in which times are counted, and seconds to add.
    resolution: u64,
    offset: i64,
}

impl Section {
    /// Takes one block in; a packet comes out.
    pub(super) fn apply(
        &mut self,
        block: &PcapBlockOwned<'_>,
        number: u64,
    ) -> Result<Option<Record>, String> {
        match block {
            PcapBlockOwned::LegacyHeader(header) => {
                let resolution = if header.is_nanosecond_precision() {
                    1_000_000_000
                } else {
                    1_000_000
                };
                // The upper half holds the length of a frame check sequence.
                let link = header.network.0.cast_unsigned() & 0xffff;
                self.interfaces = vec![Interface {
                    link,
                    snaplen: header.snaplen,
                    resolution,
                    offset: 0,
                }];
                Ok(None)
            }
            PcapBlockOwned::Legacy(packet) => self.pcap_packet(packet, number).map(Some),
            PcapBlockOwned::NG(Block::SectionHeader(header)) => {
                self.big_endian = header.big_endian();
                self.interfaces.clear();
                Ok(None)
            }
            PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => {
                self.describe(interface).map(|()| None)
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                let interface = self.interface(packet.if_id)?;
                let units = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
                self.last_time = interface.time(units)?;
                Ok(Some(self.record(
                    interface,
                    packet.packet_data(),
                    packet.orig_len(),
                    number,
                )))
            }
            PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
                let interface = self.interface(0)?;
                let data = packet.packet_data();
                let snaplen = match interface.snaplen {
                    0 => data.len(),
                    limit => data.len().min(limit as usize),
                };
                let data = data.get(..snaplen).unwrap_or(data);
                Ok(Some(self.record(
                    interface,
                    data,
                    packet.orig_len(),
                    number,
                )))
            }
            PcapBlockOwned::NG(_) => Ok(None),
        }
    }

    fn pcap_packet(&mut self, packet: &LegacyPcapBlock<'_>, number: u64) -> Result<Record, String> {
        let interface = self.interface(0)?;
        let units = u64::from(packet.ts_sec) * interface.resolution + u64::from(packet.ts_usec);
        self.last_time = interface.time(units)?;
        Ok(self.record(interface, packet.data, packet.origlen, number))
    }

    fn describe(&mut self, block: &InterfaceDescriptionBlock<'_>) -> Result<(), String> {
        if self.interfaces.len() >= MAX_CAPTURE_INTERFACES {
            return Err(format!("more than {MAX_CAPTURE_INTERFACES} interfaces"));
        }
        // pcap-parser 0.17.0 reads both options as if they were little-endian
        // and powers of ten.
        let offset = if self.big_endian {
            block.if_tsoffset.swap_bytes()
        } else {
            block.if_tsoffset
        };
        self.interfaces.push(Interface {
            link: block.linktype.0.cast_unsigned(),
            snaplen: block.snaplen,
            resolution: resolution(block.if_tsresol)?,
            offset,
        });
        Ok(())
    }

    fn interface(&self, index: u32) -> Result<Interface, String> {
        self.interfaces
            .get(index as usize)
            .copied()
            .ok_or_else(|| format!("it names interface {index}, which the file does not describe"))
    }

    fn record(
        &self,
        interface: Interface,
        data: &[u8],
        original_length: u32,
        number: u64,
    ) -> Record {
        Record {
            number,
            time: self.last_time,
            link: interface.link,
            data: Bytes::copy_from_slice(data),
            original_length,
        }
    }
}

impl Interface {
    fn time(&self, units: u64) -> Result<Timestamp, String> {
        let nanoseconds = i128::from(units) * 1_000_000_000 / i128::from(self.resolution)
            + i128::from(self.offset) * 1_000_000_000;
        Timestamp::from_nanosecond(nanoseconds)
            .map_err(|_| "its time is in no year that can be written".to_owned())
    }
}

/// The option `if_tsresol`: a negative power of ten, or of two when the highest
/// bit is set.
fn resolution(option: u8) -> Result<u64, String> {
    let exponent = u32::from(option & 0x7f);
    let base: u64 = if option & 0x80 == 0 { 10 } else { 2 };
    base.checked_pow(exponent)
        .ok_or_else(|| format!("its interface counts time in {base}^-{exponent} seconds"))
}
