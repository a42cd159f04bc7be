//! What passed and what came of it, over time: drawn, and as a table.

use std::fmt::Write as _;

use jiff::Timestamp;
use maud::{Markup, html};
use parallax_captures::{Activity, Moment, VerdictKind};

use super::format::{clock, clock_text, count, width};

const WIDTH: usize = 1_200;
/// Columns that there is always room for.
const FEWEST: usize = 24;
/// Of each of the two rows of bars.
const HEIGHT: u64 = 56;
/// Where the second one begins.
const SECOND: u64 = HEIGHT + 10;

/// What is drawn above each other, from below; each with its class and its name.
type Part = (&'static str, &'static str, fn(&Moment) -> u64);

const EXCHANGES: [Part; 2] = [
    ("a-failed", "errors", |moment| moment.failed),
    ("a-exchanges", "exchanges without an error", |moment| {
        moment.exchanges.saturating_sub(moment.failed)
    }),
];

const VERDICTS: [Part; 5] = [
    ("a-diverge", "diverge", |m| {
        m.with_verdict(VerdictKind::Diverge)
    }),
    ("a-mirror_failed", "mirror failed", |m| {
        m.with_verdict(VerdictKind::MirrorFailed)
    }),
    ("a-transient", "transient or stale", |m| {
        m.with_verdict(VerdictKind::Transient) + m.with_verdict(VerdictKind::Stale)
    }),
    ("a-not_comparable", "not comparable", |m| {
        m.with_verdict(VerdictKind::NotComparable)
    }),
    ("a-agree", "agree", |m| m.with_verdict(VerdictKind::Agree)),
];

/// So many columns show how something went; fewer are the figures once more, only larger.
const FEWEST_DRAWN: usize = 8;

/// Nothing where nothing passed, or all of it within [`FEWEST_DRAWN`] columns.
pub(crate) fn over_time(activity: &Activity) -> Markup {
    let moments: Vec<_> = activity.iter().collect();
    let Some((begin, end)) = activity.range().filter(|_| moments.len() >= FEWEST_DRAWN) else {
        return html! {};
    };
    let slot = width(activity.width());
    let total = activity.total();
    let has_verdicts = total.judged() > 0;
    let height = if has_verdicts {
        SECOND + HEIGHT
    } else {
        HEIGHT
    };
    let label = format!(
        "Exchanges and verdicts over time, from {} to {}; the table after it has the numbers",
        clock_text(begin),
        clock_text(end)
    );
    let most = |parts: &[Part]| moments.iter().map(|(_, one)| sum(parts, one)).max();
    html! {
        figure.over-time {
            svg class=[(!has_verdicts).then_some("one-row")]
                viewBox={ "0 0 " (WIDTH) " " (height) } preserveAspectRatio="none" role="img"
                aria-label=(label) {
                (bars(&EXCHANGES, &moments, HEIGHT))
                @if has_verdicts { (bars(&VERDICTS, &moments, SECOND + HEIGHT)) }
                @for (index, (time, moment)) in moments.iter().enumerate() {
                    @if moment.exchanges + moment.judged() > 0 {
                        @let (x, next) = (x_of(index, moments.len()), x_of(index + 1, moments.len()));
                        rect.a-hit x=(x) y="0" width=(next - x) height=(height) {
                            title { (in_words(*time, moment)) }
                        }
                    }
                }
            }
            figcaption {
                span { (clock(begin)) " to " (clock(end)) ", " (slot) " a column" }
                " "
                span {
                    "above: exchanges, at most " (count(most(&EXCHANGES).unwrap_or_default()))
                    @if has_verdicts {
                        "; below: verdicts, at most " (count(most(&VERDICTS).unwrap_or_default()))
                    }
                }
            }
        }
        (table(activity))
    }
}

/// A row of bars that stand on `ground`.
fn bars(parts: &[Part], moments: &[(Timestamp, Moment)], ground: u64) -> Markup {
    let most = moments.iter().map(|(_, one)| sum(parts, one)).max();
    let most = most.unwrap_or_default().max(1);
    let mut paths = vec![String::new(); parts.len()];
    for (index, (_, moment)) in moments.iter().enumerate() {
        let (x, next) = (x_of(index, moments.len()), x_of(index + 1, moments.len()));
        let bar = (next - x).saturating_sub(1).max(1);
        let mut below = 0;
        for ((_, _, of), path) in parts.iter().zip(&mut paths) {
            let number = of(moment);
            if number == 0 {
                continue;
            }
            // Few of many are seen too, if need be at the cost of the many.
            let height = (u128::from(number) * u128::from(HEIGHT)).div_ceil(u128::from(most));
            let height = u64::try_from(height).unwrap_or(HEIGHT).max(2);
            let height = height.min(HEIGHT.saturating_sub(below));
            let y = ground.saturating_sub(below);
            // Writing to a string does not fail.
            let _ = write!(path, "M{x} {y}v-{height}h{bar}v{height}z");
            below += height;
        }
    }
    html! {
        path.a-ground d={ "M0 " (ground) "h" (WIDTH) "v-1h-" (WIDTH) "z" } {}
        @for ((class, ..), path) in parts.iter().zip(paths) {
            @if !path.is_empty() { path class=(class) d=(path) {} }
        }
    }
}

/// Few columns are as narrow as if there were more, and leave room after them.
fn x_of(index: usize, slots: usize) -> usize {
    index * WIDTH / slots.max(FEWEST)
}

fn sum(parts: &[Part], moment: &Moment) -> u64 {
    parts.iter().map(|(.., of)| of(moment)).sum()
}

fn in_words(begin: Timestamp, moment: &Moment) -> String {
    let mut words = format!(
        "{}: {} exchanges",
        clock_text(begin),
        count(moment.exchanges)
    );
    let said = EXCHANGES[..1].iter().chain(&VERDICTS);
    for (number, name) in said.map(|(_, name, of)| (of(moment), name)) {
        if number > 0 {
            let _ = write!(words, ", {} {name}", count(number));
        }
    }
    words
}

/// The same for who does not see it, in fewer rows.
fn table(activity: &Activity) -> Markup {
    let narrow = activity.width();
    let wide = activity.clone().at_least(narrow * SLOTS_A_ROW);
    let rows = wide
        .iter()
        .filter(|(_, one)| one.exchanges + one.judged() > 0);
    html! {
        details data-fold="over-time" {
            summary { "The same as a table" }
            div.scroll tabindex="0" role="region" aria-label="Exchanges and verdicts over time" {
                table {
                    thead {
                        tr {
                            th scope="col" { "From, for " (width(wide.width())) }
                            th.number scope="col" { "exchanges" }
                            th.number scope="col" { "errors" }
                            @for (_, name, _) in VERDICTS.iter().rev() { th.number scope="col" { (name) } }
                        }
                    }
                    tbody {
                        @for (begin, moment) in rows {
                            tr {
                                th scope="row" { (clock(begin)) }
                                td.number { (count(moment.exchanges)) }
                                td.number { (count(moment.failed)) }
                                @for (.., of) in VERDICTS.iter().rev() { td.number { (count(of(&moment))) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Columns of the drawing in a row of the table.
const SLOTS_A_ROW: u32 = 4;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn exchanges(exchanges: u64, failed: u64) -> Moment {
        Moment {
            exchanges,
            failed,
            ..Moment::default()
        }
    }

    #[test]
    fn each_column_says_its_numbers_and_few_errors_of_many_exchanges_are_seen() {
        let mut activity = Activity::default();
        activity.add(at(0), exchanges(10_000, 1));
        activity.add(at(10), exchanges(5_000, 0));
        let drawn = over_time(&activity).into_string();
        assert!(
            drawn.contains("00:00:00.000: 10,000 exchanges, 1 errors"),
            "{drawn}"
        );
        let errors = drawn.split("class=\"a-failed\"").nth(1).unwrap();
        assert!(errors.starts_with(" d=\"M0 56v-2h13v2z\""), "{errors}");
        assert!(drawn.contains("<td class=\"number\">10,000</td>"));
    }

    #[test]
    fn a_few_moments_are_not_drawn() {
        let mut activity = Activity::default();
        assert_eq!(over_time(&activity).into_string(), "");
        activity.add(at(0), exchanges(3, 0));
        assert_eq!(over_time(&activity).into_string(), "");
        let slot = activity.width();
        activity.add(at(0) + 6 * slot, exchanges(3, 0));
        assert_eq!(over_time(&activity).into_string(), "");
        activity.add(at(0) + 7 * slot, exchanges(3, 0));
        assert!(over_time(&activity).into_string().contains("<svg"));
    }

    #[test]
    fn widths_are_written_for_people() {
        assert_eq!(width(Duration::from_millis(125)), "125 ms");
        assert_eq!(width(Duration::from_secs(64)), "64 s");
        assert_eq!(width(Duration::from_secs(4_096)), "68 min");
    }
}
