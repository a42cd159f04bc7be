//! Restrictions of the list, as plain links.

use maud::{Markup, html};
use parallax_captures::VerdictKind;

use super::status::verdict_words;
use crate::asked::Asked;
use crate::filter::Filter;

pub(crate) fn filter_bar(asked: &Asked) -> Markup {
    let filter = &asked.filter;
    let all = asked.href(|asked| {
        asked.filter = Filter::default();
        asked.problems = false;
    });
    html! {
        nav.filters aria-label="Restrict the list" {
            (choice(&all, "all", !asked.is_restricted()))
            (choice(&asked.href(|asked| asked.problems = !asked.problems), "problems", asked.problems))
            (choice(&asked.filtered(|f| f.errors = !f.errors), "errors", filter.errors))
            @let polls = filter.command.as_deref() == Some("poll_messages");
            @let command = (!polls).then(|| "poll_messages".to_owned());
            (choice(&asked.filtered(|f| f.command = command), "polls", polls))
            @for kind in [VerdictKind::Diverge, VerdictKind::Agree, VerdictKind::MirrorFailed] {
                @let on = filter.verdict == Some(kind);
                @let href = asked.filtered(|f| f.verdict = (!on).then_some(kind));
                (choice(&href, verdict_words(kind), on))
            }
            @if let Some(marked) = asked.and("marked") {
                (choice(&marked, "marked", false))
            }
            @if filter.empty {
                (choice(&asked.filtered(|f| f.empty = false), "no message \u{d7}", true))
            }
            @if filter.muted {
                (choice(&asked.filtered(|f| f.muted = false), "muted \u{d7}", true))
            }
            @if let Some(conn) = filter.conn {
                (choice(&asked.filtered(|f| f.conn = None), &format!("connection #{conn} \u{d7}"), true))
            }
            @if let Some(command) = filter.command.as_deref().filter(|name| *name != "poll_messages") {
                (choice(&asked.filtered(|f| f.command = None), &format!("{command} \u{d7}"), true))
            }
            @if let Some(code) = filter.finding {
                (choice(&asked.filtered(|f| f.finding = None), &format!("{code} \u{d7}"), true))
            }
        }
    }
}

pub(crate) fn choice(href: &str, words: &str, on: bool) -> Markup {
    html! {
        a.choice href=(href) aria-current=[on.then_some("true")] { (words) }
    }
}
