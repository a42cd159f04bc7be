//! The filter as text: a plain form. The script completes what is typed.

use maud::{Markup, html};
use parallax_captures::filter::FIELDS;
use parallax_captures::limits::FILTER_BYTES;

use crate::asked::Asked;
use crate::expression::Where;
use crate::limits::{FILTERS_REMEMBERED, WORDS_OFFERED};

pub(crate) fn expression_form(asked: &Asked) -> Markup {
    let filter = &asked.filter;
    let text = filter.wanted.as_ref().map_or("", Where::text);
    let mistake = filter.mistake();
    html! {
        form.where action="/exchanges" method="get" role="search" {
            @for (name, value) in asked.choices() {
                input type="hidden" name=(name) value=(value);
            }
            label for="where" { "Where" }
            div.combobox {
                input id="where" name="where" type="text" value=(text) list="where-words"
                    maxlength=(FILTER_BYTES) placeholder=r#"status == 4100 and topic == "metrics""#
                    autocomplete="off" autocapitalize="off" spellcheck="false"
                    aria-invalid=[mistake.map(|_| "true")]
                    aria-describedby=[mistake.map(|_| "where-mistake")];
                ul id="where-list" role="listbox" aria-label="What may come next" hidden
                    data-most=(WORDS_OFFERED) data-remembered=(FILTERS_REMEMBERED) {}
            }
            datalist id="where-words" {
                @for entry in FIELDS {
                    option value=(entry.short.unwrap_or(entry.path)) { (entry.meaning) }
                }
            }
            button type="submit" { "Filter" }
            @if filter.wanted.is_some() {
                a href=(asked.filtered(|f| f.wanted = None)) { "Clear" }
            }
            a href="/api/v1/filter/fields" { "Fields" }
        }
        @if let Some(mistake) = mistake {
            div.mistake id="where-mistake" role="alert" {
                pre { (mistake.pointed_out()) }
                p { "Character " (mistake.position() + 1) ": " (mistake.message()) "." }
            }
        }
    }
}
