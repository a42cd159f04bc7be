//! Sizes and durations as they are written on a command line.

use std::time::Duration;

/// `64MiB`, `4GB`, or a number of bytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 7] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("", 1),
    ];
    scaled(text, &UNITS).ok_or_else(|| "a size is a whole number and KiB, MiB or GiB".to_owned())
}

/// `90s`, `30m`, `12h` or `7d`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, u64); 4] = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)];
    let seconds = scaled(text, &UNITS);
    let seconds = seconds.ok_or("a duration is a whole number and s, m, h or d")?;
    Ok(Duration::from_secs(seconds))
}

fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    units.iter().find_map(|(unit, factor)| {
        let number = text.strip_suffix(unit)?.trim_end();
        number.parse::<u64>().ok()?.checked_mul(*factor)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations_have_units() {
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("4 GB"), Ok(4_000_000_000));
        assert_eq!(bytes("123"), Ok(123));
        assert_eq!(duration("7d"), Ok(Duration::from_hours(168)));
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        for wrong in ["", "GiB", "1.5GiB", "-1", "99999999999TiB"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "7", "d", "1w"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
