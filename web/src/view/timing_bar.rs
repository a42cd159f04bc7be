//! Times as bars on one scale.

use maud::{Markup, html};
use parallax_captures::Side;
use parallax_captures::verdict::AskedTimes;

use super::format::duration;

/// In units of the drawing, which is as wide as its place.
const WIDTH: i64 = 1_000;
const HEIGHT: i64 = 10;

/// The least that is drawn of what is too short to be seen.
const LEAST: i64 = 4;

/// One bar.
#[derive(Debug, Clone)]
pub(crate) struct Lane {
    pub(crate) words: String,
    pub(crate) side: Side,
    pub(crate) times: AskedTimes,
}

/// The lanes below each other, from the first time of all to the last. The drawing
/// is left to the eye: a table says the same.
pub(crate) fn bars(title: &str, lanes: &[Lane]) -> Markup {
    let nanoseconds = |lane: &Lane| {
        let AskedTimes { asked, answered } = lane.times;
        (asked.as_nanosecond(), answered.as_nanosecond())
    };
    let ends = lanes.iter().map(nanoseconds);
    let first = ends.clone().map(|(asked, _)| asked).min().unwrap_or(0);
    let last = ends.map(|(_, answered)| answered).max().unwrap_or(0);
    let span = (last - first).max(1);
    let place = |at: i128| {
        let along = (at - first).clamp(0, span) * i128::from(WIDTH) / span;
        i64::try_from(along).unwrap_or(WIDTH)
    };
    html! {
        figure.spans aria-hidden="true" {
            figcaption { (title) }
            @for lane in lanes {
                @let (asked, answered) = nanoseconds(lane);
                @let from = place(asked).min(WIDTH - LEAST);
                @let length = (place(answered) - from).max(LEAST);
                span { (lane.words) }
                svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" {
                    rect.rail x="0" y=(HEIGHT / 2) width=(WIDTH) height="1" {}
                    rect class=(match lane.side { Side::Tcp => "bar-tcp", Side::Http => "bar-http" })
                        x=(from) y="0" width=(length) height=(HEIGHT) {}
                }
                span.took {
                    (duration(lane.times.answered.duration_since(lane.times.asked).unsigned_abs()))
                }
            }
        }
    }
}
