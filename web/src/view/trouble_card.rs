//! What is wrong and is no finding.

use maud::{Markup, html};
use parallax_captures::{Counts, Severity, Trouble, TroubleKind, VerdictKind};

use super::counted::rows_behind;
use super::format::{clock, count};
use super::status::severity_class;
use crate::filter::Filter;

/// How grave a trouble is, among findings.
pub(crate) const fn severity(kind: TroubleKind) -> Severity {
    match kind {
        TroubleKind::Unserved | TroubleKind::Unexplained => Severity::Error,
        TroubleKind::Undecoded
        | TroubleKind::Mirror
        | TroubleKind::Recording
        | TroubleKind::Dropped
        | TroubleKind::Slowed => Severity::Warning,
    }
}

pub(crate) fn trouble_card(counts: &Counts, trouble: &Trouble) -> Markup {
    let noun = match trouble.kind {
        TroubleKind::Unserved => "clients not served",
        TroubleKind::Undecoded => "connections not decoded",
        TroubleKind::Unexplained => "polls that diverge",
        TroubleKind::Mirror => "mirror",
        TroubleKind::Recording => "recording",
        TroubleKind::Dropped => "not looked at",
        TroubleKind::Slowed => "times slowed",
    };
    html! {
        li class=(severity_class(severity(trouble.kind))) {
            p.head {
                span.severity {
                    (noun)
                    @if !matches!(trouble.kind, TroubleKind::Mirror | TroubleKind::Recording) { ": " (count(trouble.count)) }
                }
                " " b { bdi { (trouble.sentence) } }
            }
            p.meta {
                @if let Some(since) = trouble.since { "since " (clock(since)) }
                @match (trouble.kind, trouble.connection) {
                    (TroubleKind::Unexplained, _) => {
                        @let diverge = Filter {
                            verdict: Some(VerdictKind::Diverge), ..Filter::default()
                        };
                        @let all = counts.with_verdict(VerdictKind::Diverge);
                        ", " (rows_behind(&diverge, all, &format!("all {} that diverge", count(all))))
                    }
                    (TroubleKind::Undecoded, Some(id)) => {
                        ", " a href={ "/exchanges?conn=" (id) } { "latest: connection " (id) }
                    }
                    (TroubleKind::Unserved, Some(id)) => { ", latest: connection " (id) }
                    _ => {}
                }
            }
        }
    }
}
