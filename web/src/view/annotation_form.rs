//! The note on an exchange: a plain form.

use maud::{Markup, html};
use parallax_captures::Exchange;
use parallax_captures::limits::COMMENT_BYTES;

use super::copy::copy_bar;
use super::keys::{self, keys_dialog};
use super::opened_from::OpenedFrom;
use crate::about::Source;
use crate::app::App;

/// The note, what can be copied, and the keys of the page of one exchange.
pub(crate) fn noted(app: &App, exchange: &Exchange, from: &OpenedFrom) -> Markup {
    html! {
        section.noted.note-form aria-label="Note and copies" {
            (copy_bar(app, exchange))
            (annotation_form(app, exchange, from))
            (keys_dialog("exchange", keys::EXCHANGE))
        }
    }
}

fn annotation_form(app: &App, exchange: &Exchange, from: &OpenedFrom) -> Markup {
    let annotation = &exchange.annotation;
    html! {
        form id="note" action={ "/exchanges/" (exchange.n) "/annotation" (from.suffix()) } method="post" {
                input type="hidden" name="mark" value="0";
                label { input id="mark" type="checkbox" name="mark" value="1" checked[annotation.marked]; " Marked" }
                label for="comment" { "Comment" }
                input id="comment" type="text" name="comment" value=(annotation.comment)
                    maxlength=(COMMENT_BYTES) autocomplete="off";
                button type="submit" { "Keep note" }
            }
            p.dim { (kept_where(app)) }
    }
}

/// How long a note is kept.
pub(crate) fn kept_where(app: &App) -> &'static str {
    match (&app.about.source, app.journal.recording()) {
        (_, Some(_)) => "Notes are recorded with the exchange.",
        (Source::Live(_), None) => {
            "Notes are kept as long as the exchange is in memory: nothing is recorded. What is \
             saved from the list has them."
        }
        (Source::File { .. }, None) => {
            "Notes are kept in memory while this page is open: the file is not written to. What \
             is saved from the list has them."
        }
    }
}

/// For a comment from the list, with the script.
pub(crate) fn comment_dialog(app: &App) -> Markup {
    html! {
        dialog id="comment-dialog" aria-labelledby="h-comment" {
            form method="dialog" {
                h2 id="h-comment" { "Comment" }
                label for="comment-text" { "On exchange " span id="comment-on" {} }
                input id="comment-text" type="text" maxlength=(COMMENT_BYTES) autocomplete="off";
                p.dim { (kept_where(app)) }
                button value="keep" { "Keep" }
                " "
                button value="" formnovalidate { "Cancel" }
            }
        }
    }
}
