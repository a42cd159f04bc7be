//! What can be chosen, as plain links.

use std::collections::BTreeSet;

use maud::{Markup, html};
use parallax_captures::{Dimension, Side};

use crate::latency::{Choice, Report};

pub(super) fn choices(report: &Report) -> Markup {
    let choice = &report.choice;
    html! {
        div.latency-choices {
            nav.filters aria-label="Told apart by" {
                span.dim { "by" }
                @for by in Dimension::ALL {
                    @let href = choice.href(|c| {
                        c.by = by;
                        c.labels.clear();
                        if by == Dimension::Command || c.by == Dimension::Command {
                            c.commands.clear();
                        }
                    });
                    (link(&href, by_words(by), choice.by == by))
                }
            }
            nav.filters aria-label="Side" {
                span.dim { "side" }
                (link(&choice.href(|c| c.side = None), "both", choice.side.is_none()))
                @for side in Side::ALL {
                    @let on = choice.side == Some(side);
                    (link(&choice.href(|c| c.side = Some(side)), side_words(side), on))
                }
            }
            (commands(report))
            nav.filters aria-label="Scale of the latency" {
                span.dim { "scale" }
                (link(&choice.href(|c| c.linear = false), "logarithmic", !choice.linear))
                (link(&choice.href(|c| c.linear = true), "linear", choice.linear))
            }
        }
    }
}

/// By something else than the command, which ones: by the command, the table has them.
fn commands(report: &Report) -> Markup {
    let choice = &report.choice;
    if choice.by == Dimension::Command {
        return html! {};
    }
    let series = report.timeline.series.iter();
    let there: BTreeSet<_> = series.map(|one| one.command.as_str()).collect();
    html! {
        nav.filters aria-label="Command" {
            span.dim { "command" }
            (link(&choice.href(|c| c.commands.clear()), "all", choice.commands.is_empty()))
            @for command in there {
                @let on = choice.commands.iter().any(|one| one == command);
                (link(&choice.href(|c| toggle(&mut c.commands, command.to_owned())), command, on))
            }
        }
    }
}

/// Chooses it, or not any longer.
pub(super) fn toggle<T: PartialEq>(chosen: &mut Vec<T>, one: T) {
    match chosen.iter().position(|other| *other == one) {
        Some(index) => drop(chosen.remove(index)),
        None => chosen.push(one),
    }
}

pub(super) fn link(href: &str, words: &str, on: bool) -> Markup {
    html! {
        a.choice href=(href) aria-current=[on.then_some("true")] { (words) }
    }
}

const fn by_words(by: Dimension) -> &'static str {
    match by {
        Dimension::Command => "command",
        Dimension::Strategy => "polling strategy",
        Dimension::Stream => "stream",
        Dimension::Connection => "connection",
    }
}

pub(super) const fn side_words(side: Side) -> &'static str {
    match side {
        Side::Tcp => "TCP (client)",
        Side::Http => "HTTP (parallax)",
    }
}

/// The choice without a time, for forms.
pub(super) fn hidden(choice: &Choice) -> Markup {
    let timeless = Choice {
        times: Choice::default().times,
        ..choice.clone()
    };
    html! {
        @for (name, value) in timeless.pairs() {
            input type="hidden" name=(name) value=(value);
        }
    }
}
