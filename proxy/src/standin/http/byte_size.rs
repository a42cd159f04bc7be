//! Sizes as the server writes them: `8.552 KB`, `81908 KiB`, `0 B`.

/// The largest unit in which the size has at most three decimals, and so can be
/// read back without loss: so does `byte-unit` 5, which the server uses.
pub(super) fn byte_size(bytes: u64) -> String {
    for (name, unit) in UNITS {
        let thousandths = u128::from(bytes) * 1000;
        if bytes >= unit && thousandths.is_multiple_of(unit.into()) {
            let thousandths = thousandths / u128::from(unit);
            let (whole, rest) = (thousandths / 1000, thousandths % 1000);
            let decimals = format!("{rest:03}");
            let decimals = decimals.trim_end_matches('0');
            let point = if decimals.is_empty() { "" } else { "." };
            return format!("{whole}{point}{decimals} {name}");
        }
    }
    format!("{bytes} B")
}

/// The largest first, as they are tried.
const UNITS: [(&str, u64); 12] = [
    ("EiB", 1 << 60),
    ("EB", 1_000_000_000_000_000_000),
    ("PiB", 1 << 50),
    ("PB", 1_000_000_000_000_000),
    ("TiB", 1 << 40),
    ("TB", 1_000_000_000_000),
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("KiB", 1 << 10),
    ("KB", 1_000),
];

#[cfg(test)]
mod tests {
    use super::byte_size;

    #[test]
    fn sizes_are_written_as_in_the_recording() {
        // Recording `http_server-0.8.0/http.out`; the bytes from its TCP twin.
        for (bytes, text) in [
            (8_552, "8.552 KB"),
            (2_908, "2.908 KB"),
            (81_908 * 1024, "81908 KiB"),
            (24_684_096 * 1024, "24684096 KiB"),
            (0, "0 B"),
        ] {
            assert_eq!(byte_size(bytes), text);
        }
    }
}
