//! Addresses that stand for others: written with as many digits, in the same places.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::key::{Key, Kind};

/// Whether an address says nothing of anybody.
pub(super) fn stays(ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    ip.is_loopback() || ip.is_unspecified()
}

pub(super) fn other(ip: IpAddr, key: &Key, attempt: u64) -> IpAddr {
    let word = |bytes: &[u8]| key.word(Kind::Address, bytes, attempt);
    match ip {
        IpAddr::V4(ip) => v4(ip, word(&ip.octets())).into(),
        IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
            Some(inner) => v4(inner, word(&inner.octets())).to_ipv6_mapped().into(),
            None => v6(ip, [word(&ip.octets()), word(&ip.octets()[..15])]).into(),
        },
    }
}

fn v4(ip: Ipv4Addr, word: u64) -> Ipv4Addr {
    let random = word.to_le_bytes();
    let mut octets = ip.octets();
    for (octet, random) in octets.iter_mut().zip(random) {
        *octet = match *octet {
            0 => 0,
            1..=9 => 1 + random % 9,
            10..=99 => 10 + random % 90,
            100.. => 100 + random % 100,
        };
    }
    octets.into()
}

/// Groups of 0, which are written short, stay.
fn v6(ip: Ipv6Addr, words: [u64; 2]) -> Ipv6Addr {
    let random = words.map(u64::to_le_bytes).concat();
    let mut groups = ip.segments();
    for (group, random) in groups.iter_mut().zip(random.chunks_exact(2)) {
        let random = u16::from_le_bytes([random[0], random[1]]);
        *group = match *group {
            0 => 0,
            1..=0xf => 1 + random % 0xf,
            0x10..=0xff => 0x10 + random % 0xf0,
            0x100..=0xfff => 0x100 + random % 0xf00,
            0x1000.. => 0x1000 + random % 0xf000,
        };
    }
    groups.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_address_is_written_with_as_many_digits() {
        let key = Key::default();
        for text in [
            "10.0.0.7",
            "192.168.17.250",
            "fe80::1",
            "2001:db8:0:1::ab",
            "::ffff:10.1.2.3",
        ] {
            let ip: IpAddr = text.parse().unwrap();
            for attempt in 0..100 {
                let other = other(ip, &key, attempt);
                assert_eq!(other.to_string().len(), text.len(), "{text} {other}");
                assert_eq!(other.is_ipv4(), ip.is_ipv4());
            }
        }
    }

    #[test]
    fn this_very_machine_stays() {
        for text in ["127.0.0.1", "::1", "0.0.0.0", "::ffff:127.0.0.1"] {
            assert!(stays(text.parse().unwrap()), "{text}");
        }
    }
}
