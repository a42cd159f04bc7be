//! What parallax did in the path of exchanges, because it was asked to.

use std::sync::Arc;

use maud::{Markup, html};
use parallax_captures::{Exchange, FaultInForce};

use super::format::plural;

/// On every page while faults are being injected.
pub(crate) fn banner(faults: &[Arc<FaultInForce>]) -> Markup {
    html! {
        @if !faults.is_empty() {
            aside.injecting role="note" aria-label="Faults" {
                b { "Faults are being injected: " }
                @for (index, fault) in faults.iter().enumerate() {
                    @if index > 0 { "; " }
                    bdi { code { (fault.rule()) } }
                    @if let Some(route) = fault.route() { " on " (route.as_str()) }
                    " (" (fault.injected()) " of " (fault.matched()) ")"
                }
            }
        }
    }
}

/// On the overview where faults were injected, also long before and in a recording.
pub(crate) fn was_injected(exchanges: u64) -> Markup {
    html! {
        @if exchanges > 0 {
            p.warn {
                "parallax injected faults into " a href="/exchanges?where=injected" {
                    (plural(usize::try_from(exchanges).unwrap_or(usize::MAX), "exchange"))
                } ", on purpose: their errors and ends are none of the server's."
            }
        }
    }
}

/// Beside an exchange's command in a list.
pub(crate) fn mark(exchange: &Exchange) -> Markup {
    html! {
        @if exchange.injected().is_some() { " " span.warn { "injected" } }
        @if exchange.rewritten().is_some() { " " span.warn { "rewritten" } }
    }
}

/// In an exchange's summary.
pub(crate) fn told(exchange: &Exchange) -> Markup {
    html! {
        @if let Some(injected) = exchange.injected() {
            p.warn { "parallax injected a fault here: " bdi { code { (injected) } } }
        }
        @if let Some(rewritten) = exchange.rewritten() {
            p.warn { "parallax rewrote this: " bdi { (rewritten) } }
        }
        @if let Some(answer) = exchange.server_answer() {
            p {
                "The client did not get the server's answer, which had "
                @if let Some(status) = answer.status { "status " (status) " and " }
                (answer.body_length) " bytes of body."
            }
        }
    }
}
