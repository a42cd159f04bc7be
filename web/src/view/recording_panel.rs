//! What of it is on disk, and what is not.

use maud::{Markup, html};
use parallax_captures::Journal;
use parallax_captures::recording::{RecordingState, RecordingStatus};

use super::format::{byte_size, clock, count};
use crate::about::{About, Source};

pub(crate) fn recording_panel(journal: &Journal, about: &About) -> Markup {
    let status = journal.recording();
    html! {
        section.instrument id="recording" aria-labelledby="h-recording" {
            h2 id="h-recording" {
                "Recording "
                @if let Some(status) = &status { small { (state(&status.state)) } }
            }
            @match (&status, &about.source) {
                (Some(status), _) => (figures(status)),
                (None, Source::Live(_)) => p.calm {
                    "Not recording: what passes is kept in memory alone, the latest of it. Start parallax with "
                    code { "--record DIRECTORY" } " to keep it."
                },
                (None, Source::File { name, .. }) => p.calm {
                    "This is what was recorded in " bdi { (name) } "; nothing is added to it."
                },
            }
        }
    }
}

fn state(state: &RecordingState) -> Markup {
    html! {
        @match state {
            RecordingState::Ok => span.ok { "working" },
            RecordingState::Failing { .. } => span.warn { "the disk refuses" },
            RecordingState::Ended => span.dim { "ended" },
        }
    }
}

fn figures(status: &RecordingStatus) -> Markup {
    let lost = [
        (status.not_kept, "exchanges: the disk was full or slow"),
        (status.changes_not_kept, "late verdicts or findings"),
    ];
    html! {
        @if let RecordingState::Failing { since, reason } = &status.state {
            p.trouble { "Since " (clock(*since)) ": " bdi { (reason) } }
        }
        dl.facts {
            dt { "in" } dd { bdi { (status.directory.display()) } }
            dt { "kept" }
            dd {
                (count(status.exchanges)) " exchanges, " (byte_size(status.bytes)) " in "
                (count(status.segments)) " files"
            }
            dt { "dropped" }
            dd {
                @if status.dropped > 0 { (count(status.dropped)) " older ones, for size or age" }
                @else { "none" }
            }
            dt { "not kept" }
            dd {
                @if lost.iter().all(|(number, _)| *number == 0) { "none" }
                @for (number, what) in lost.iter().filter(|(number, _)| *number > 0) {
                    span.warn { (count(*number)) } " " (what) " "
                }
            }
        }
    }
}
