//! Restrictions of the list, as plain links.

use maud::{Markup, html};
use parallax_captures::VerdictKind;

use super::status::verdict_words;
use crate::filter::Filter;

pub(crate) fn filter_bar(filter: &Filter) -> Markup {
    html! {
        nav.filters aria-label="Restrict the list" {
            (choice(&filter.href(|f| *f = Filter::default()), "all", !filter.is_restricted()))
            (choice(&filter.href(|f| f.errors = !f.errors), "errors", filter.errors))
            @let polls = filter.command.as_deref() == Some("poll_messages");
            @let command = (!polls).then(|| "poll_messages".to_owned());
            (choice(&filter.href(|f| f.command = command), "polls", polls))
            @for kind in [VerdictKind::Diverge, VerdictKind::Agree, VerdictKind::MirrorFailed] {
                @let on = filter.verdict == Some(kind);
                @let href = filter.href(|f| f.verdict = (!on).then_some(kind));
                (choice(&href, verdict_words(kind), on))
            }
            @if filter.empty {
                (choice(&filter.href(|f| f.empty = false), "no message \u{d7}", true))
            }
            @if filter.muted {
                (choice(&filter.href(|f| f.muted = false), "muted \u{d7}", true))
            }
            @if let Some(conn) = filter.conn {
                (choice(&filter.href(|f| f.conn = None), &format!("connection #{conn} \u{d7}"), true))
            }
            @if let Some(command) = filter.command.as_deref().filter(|name| *name != "poll_messages") {
                (choice(&filter.href(|f| f.command = None), &format!("{command} \u{d7}"), true))
            }
            @if let Some(code) = filter.finding {
                (choice(&filter.href(|f| f.finding = None), &format!("{code} \u{d7}"), true))
            }
        }
    }
}

fn choice(href: &str, words: &str, on: bool) -> Markup {
    html! {
        a.choice href=(href) aria-current=[on.then_some("true")] { (words) }
    }
}
