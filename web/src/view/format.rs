//! How numbers and times are written.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};

/// A count with its thousands told apart: `12,345`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A length as a count.
pub(crate) fn length(length: usize) -> String {
    count(u64::try_from(length).unwrap_or(u64::MAX))
}

/// `1 message`, `2 messages`.
pub(crate) fn plural(number: usize, noun: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{} {noun}{end}", length(number))
}

/// `312 µs`, `1.24 ms`, `12.4 ms`, `3.21 s`.
pub(crate) fn duration(duration: Duration) -> String {
    micros(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}

/// The same from microseconds.
pub(crate) fn micros(micros: u64) -> String {
    let (unit, size) = match micros {
        0..1_000 => return format!("{micros} \u{b5}s"),
        1_000..1_000_000 => ("ms", 1_000),
        _ => ("s", 1_000_000),
    };
    let (whole, thousandths) = (micros / size, micros % size * 1_000 / size);
    match whole {
        0..10 => format!("{whole}.{:02} {unit}", thousandths / 10),
        10..100 => format!("{whole}.{} {unit}", thousandths / 100),
        _ => format!("{} {unit}", count(whole)),
    }
}

/// `12 KiB`, `3.4 GiB`.
pub(crate) fn byte_size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.iter().find(|(shift, _)| bytes >> shift > 0);
    let Some((shift, unit)) = unit else {
        return format!("{bytes} bytes");
    };
    let tenths = (bytes >> (shift - 10)) * 10 / 1024;
    if tenths < 100 {
        format!("{}.{} {unit}", tenths / 10, tenths % 10)
    } else {
        format!("{} {unit}", tenths / 10)
    }
}

/// A day and a time of day, with the whole time behind it.
pub(crate) fn day_and_clock(time: Timestamp) -> Markup {
    let whole = time.to_string();
    html! {
        time datetime=(whole) title=(whole) { (time.strftime("%Y-%m-%d %H:%M:%S")) }
    }
}

/// A time of day, with the whole time behind it.
pub(crate) fn clock(time: Timestamp) -> Markup {
    let whole = time.to_string();
    html! {
        time datetime=(whole) title=(whole) { (clock_text(time)) }
    }
}

/// A time of day alone.
pub(crate) fn clock_text(time: Timestamp) -> String {
    time.strftime("%H:%M:%S%.3f").to_string()
}

/// How long a column lasts: `125 ms`, `4 s`, `68 min`.
pub(crate) fn width(width: Duration) -> String {
    match width.as_millis() {
        millis @ 0..1_000 => format!("{millis} ms"),
        millis @ 1_000..120_000 => format!("{} s", millis / 1_000),
        millis @ 120_000..7_200_000 => format!("{} min", millis / 60_000),
        millis => format!("{} h", millis / 3_600_000),
    }
}

/// The same to the microsecond.
pub(crate) fn clock_micros(time: Timestamp) -> Markup {
    let whole = time.to_string();
    html! {
        time datetime=(whole) title=(whole) { (time.strftime("%H:%M:%S%.6f")) }
    }
}

/// Microseconds since 1970 as a time, as messages carry them.
pub(crate) fn message_time(micros: u64) -> String {
    let time = i64::try_from(micros).ok();
    let time = time.and_then(|micros| Timestamp::from_microsecond(micros).ok());
    match time {
        Some(time) if micros > 0 => time.strftime("%Y-%m-%d %H:%M:%S%.6f").to_string(),
        _ => micros.to_string(),
    }
}

/// How long from one time to a later one, roughly: `4 min`.
pub(crate) fn span(from: Timestamp, to: Timestamp) -> String {
    let elapsed: SignedDuration = to.duration_since(from);
    let seconds = elapsed.as_secs().max(0);
    match seconds {
        0 => "under 1 s".to_owned(),
        1..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(plural(1, "message"), "1 message");
        assert_eq!(micros(999), "999 \u{b5}s");
        assert_eq!(micros(1_249), "1.24 ms");
        assert_eq!(micros(12_490), "12.4 ms");
        assert_eq!(micros(412_000), "412 ms");
        assert_eq!(micros(3_210_000), "3.21 s");
        assert_eq!(micros(61_000_000), "61.0 s");
    }
}
