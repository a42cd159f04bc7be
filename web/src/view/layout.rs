use maud::{DOCTYPE, Markup, PreEscaped, html};
use parallax_captures::text::percent_encoded;

use super::altered::banner;
use super::format::day_and_clock;
use crate::about::{About, LiveRoute, Source};

/// A whole page.
pub(crate) fn page(about: &About, title: &str, body: &Markup) -> Markup {
    let head = html! {
        (source(&about.source))
        nav aria-label="Pages" {
            a href="/" { "Overview" }
            a href="/exchanges" { "Exchanges" }
            a href="/partitions" { "Partitions" }
            a href="/latency" { "Latency" }
            a href="/api/v1/exchanges" { "JSON" }
        }
    };
    let foot = html! {
        "parallax " (about.version) ". Times are UTC and those at which the bytes passed here."
    };
    let body = html! { (banner(&about.faults)) (body) };
    shell(title, &head, &body, &foot)
}

/// A page that knows nothing of the journal: for problems.
pub(crate) fn bare_page(title: &str, body: &Markup) -> Markup {
    shell(title, &html! {}, body, &html! {})
}

fn shell(title: &str, head: &Markup, body: &Markup, foot: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " \u{b7} parallax" }
                link rel="icon" type="image/svg+xml" href="/static/icon.svg";
                link rel="stylesheet" href="/static/parallax.css";
                script src="/static/js/main.js" type="module" {}
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    a.brand href="/" { (PreEscaped(MARK)) "parallax" }
                    (head)
                }
                main id="main" { (body) }
                footer { (foot) }
            }
        }
    }
}

/// Two views that do not quite meet.
const MARK: &str = r#"<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><circle class="m1" cx="8" cy="10" r="6"/><circle class="m2" cx="12" cy="10" r="6"/></svg>"#;

fn source(source: &Source) -> Markup {
    html! {
        @match source {
            Source::Live(routes) => {
                @if let [route] = routes.as_slice() {
                    p.source { (live_route(route)) }
                } @else {
                    ul.source aria-label="Routes" {
                        @for route in routes { li.source { (live_route(route)) } }
                    }
                }
            }
            Source::File { name, time } => p.source {
                span { "not live: recorded in " b { bdi { (name) } } }
                @if let Some((first, last)) = time {
                    span { "from " b { (day_and_clock(*first)) } " to " b { (day_and_clock(*last)) } }
                }
            },
        }
    }
}

fn live_route(route: &LiveRoute) -> Markup {
    html! {
        @if let Some(name) = &route.name {
            a href={ "/exchanges?where=" (percent_encoded(&format!("route == \"{name}\""))) } { (name) }
        }
        span { "clients " b { (route.listen) } }
        span { "server " b { (route.upstream) } }
        span {
            "HTTP "
            @match &route.http {
                Some(http) => b { (http) },
                None => b.warn { "not mirrored" },
            }
        }
    }
}
