//! Which file format, told from the first bytes.

/// The format of a packet capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// The classic one of tcpdump.
    Pcap {
        big_endian: bool,
        /// Bytes before each packet: 16, or 24 in the variant of old Linux
        /// kernels' patched libpcap.
        record_header: usize,
    },
    /// Wireshark's.
    PcapNg,
}

impl Format {
    /// The format of a file that begins with these bytes; else what they look
    /// like.
    pub(super) fn recognise(first: &[u8]) -> Result<Self, String> {
        match *first {
            [0xd4, 0xc3, 0xb2, 0xa1, ..] | [0x4d, 0x3c, 0xb2, 0xa1, ..] => Ok(Self::Pcap {
                big_endian: false,
                record_header: 16,
            }),
            [0xa1, 0xb2, 0xc3, 0xd4, ..] | [0xa1, 0xb2, 0x3c, 0x4d, ..] => Ok(Self::Pcap {
                big_endian: true,
                record_header: 16,
            }),
            [0x34, 0xcd, 0xb2, 0xa1, ..] => Ok(Self::Pcap {
                big_endian: false,
                record_header: 24,
            }),
            [0x0a, 0x0d, 0x0d, 0x0a, ..] => Ok(Self::PcapNg),
            _ => Err(looks_like(first)),
        }
    }
}

fn looks_like(first: &[u8]) -> String {
    let known = match first {
        [] => "an empty file",
        [0x1f, 0x8b, ..] => "a gzip file inside a gzip file (unpack it first: gunzip FILE)",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "a zstd file (unpack it first: unzstd FILE)",
        [0xfd, b'7', b'z', b'X', b'Z', ..] => "an xz file (unpack it first: unxz FILE)",
        [b'P', b'K', 3, 4, ..] => "a zip file (unpack it first)",
        [0x7f, b'E', b'L', b'F', ..] => "a program (ELF)",
        [b's', b'n', b'o', b'o', b'p', ..] => "a Solaris snoop capture (convert it with editcap)",
        _ if is_text(first) => return format!("text, {:?}", String::from_utf8_lossy(shown(first))),
        _ => return format!("no known format, bytes {}", hex(shown(first))),
    };
    known.to_owned()
}

fn is_text(first: &[u8]) -> bool {
    shown(first)
        .iter()
        .all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
}

fn shown(first: &[u8]) -> &[u8] {
    first.get(..16).unwrap_or(first)
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}
