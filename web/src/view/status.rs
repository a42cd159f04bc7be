//! Status, verdict and findings as they stand in lists and on pages. Never by
//! colour alone.

use maud::{Markup, html};
use parallax_captures::{Content, Exchange, FindingCode, Severity, Verdict, VerdictKind, catalog};
use parallax_codec::ErrorCode;

use super::place::likely_partition;

/// How an exchange ended: `0 ok`, `4100 invalid_offset`, `no reply`.
pub(crate) fn status(exchange: &Exchange) -> Markup {
    let http = match &exchange.content {
        Content::Http(content) => content.http_status,
        Content::Binary(_) | Content::Unsolicited(_) => None,
    };
    if let Some(eviction) = exchange.eviction() {
        return html! { span.bad { "evicted: " (eviction.reason.name()) } };
    }
    html! {
        @if let Some(http) = http { "HTTP " (http) " " }
        @match (exchange.status(), http) {
            (Some(0), _) => span.ok { "0 ok" },
            (Some(code), _) => span.bad { (ErrorCode(code)) },
            (None, Some(_)) => span.bad { "no code" },
            (None, None) => span.bad { "no reply" },
        }
    }
}

/// What a verdict of `not_comparable` is called on a poll without a message.
pub(crate) const NOTHING_TO_COMPARE: &str = "nothing to compare";

/// The mirror's outcome, with the reason behind it. That both refuse is agreement
/// too, but no good news.
pub(crate) fn verdict(exchange: &Exchange, verdict: &Verdict) -> Markup {
    let both_refuse = exchange.failed() && verdict.kind == VerdictKind::Agree;
    if verdict.muted.is_some() {
        let words = verdict_words(verdict.kind);
        return html! { span.verdict.v-none title=(verdict.reason) { "muted: " (words) } };
    }
    let not_comparable = verdict.kind == VerdictKind::NotComparable;
    let nothing = not_comparable && exchange.is_empty_poll();
    let likely = likely_partition(exchange);
    html! {
        span class={ "verdict " (verdict_class(verdict.kind)) } title=(verdict.reason) {
            @if nothing { (NOTHING_TO_COMPARE) } @else { (verdict_words(verdict.kind)) }
            @if both_refuse { ": both refuse" }
            @if let (Some(likely), true) = (likely, not_comparable) { ", HTTP fails too at " (likely) }
            @if let (Some(likely), true) = (likely, both_refuse) { ", HTTP at " (likely) }
        }
    }
}

pub(crate) const fn verdict_class(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Agree => "v-agree",
        VerdictKind::Diverge => "v-diverge",
        VerdictKind::NotComparable => "v-none",
        VerdictKind::Transient | VerdictKind::Stale | VerdictKind::MirrorFailed => "v-warn",
    }
}

pub(crate) const fn verdict_words(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Agree => "= agree",
        VerdictKind::Diverge => "\u{2260} diverge",
        VerdictKind::NotComparable => "not comparable",
        VerdictKind::Transient => "~ transient",
        VerdictKind::Stale => "~ stale",
        VerdictKind::MirrorFailed => "mirror failed",
    }
}

/// A finding's number, leading to its explanation.
pub(crate) fn finding_link(code: FindingCode) -> Markup {
    let description = catalog::describe(code);
    let class = severity_class(description.severity);
    html! {
        a class={ "code " (class) } href={ "/findings/" (code) } title=(description.title) { (code) }
    }
}

/// A muted finding's number, which is not to catch the eye.
pub(crate) fn muted_link(code: FindingCode) -> Markup {
    let title = catalog::describe(code).title;
    html! { a.code.dim href={ "/findings/" (code) } title=(title) { "muted " (code) } }
}

pub(crate) const fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "s-error",
        Severity::Warning => "s-warning",
        Severity::Info => "s-info",
    }
}

/// Whether a row catches the eye.
pub(crate) fn is_problem(exchange: &Exchange) -> bool {
    row_class(exchange) != WELL
}

/// The class of a row that does not catch the eye.
const WELL: &str = "r-well";

/// What makes a row catch the eye, the gravest first.
pub(crate) fn row_class(exchange: &Exchange) -> &'static str {
    let verdict = exchange.verdict.as_ref();
    let unmuted = verdict.filter(|verdict| verdict.muted.is_none());
    let kind = unmuted.map(|verdict| verdict.kind);
    let warns = |code: &FindingCode| catalog::describe(*code).severity <= Severity::Warning;
    if kind == Some(VerdictKind::Diverge) {
        "r-diverge"
    } else if exchange.failed() {
        "r-error"
    } else if exchange.undecoded.is_some()
        || matches!(kind, Some(VerdictKind::Stale | VerdictKind::MirrorFailed))
        || exchange.findings.iter().any(warns)
    {
        "r-warning"
    } else {
        WELL
    }
}
