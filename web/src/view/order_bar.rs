//! Order, columns and downloads of the list: plain links and a plain form.

use maud::{Markup, html};

use super::filter_bar::choice;
use super::format::{byte_size, count};
use crate::asked::Asked;
use crate::columns::Column;
use crate::download::Form;
use crate::expression::Where;
use crate::limits::{DOWNLOAD_BYTES, DOWNLOAD_EXCHANGES};
use crate::order::Order;

pub(crate) fn order_bar(asked: &Asked) -> Markup {
    html! {
        nav.filters aria-label="Order" {
            @for order in Order::ALL {
                (choice(&asked.href(|asked| asked.order = order), order.words(), asked.order == order))
            }
        }
    }
}

pub(crate) fn column_form(asked: &Asked) -> Markup {
    html! {
        details.tool {
            summary { "Columns" }
            form.columns action="/exchanges" method="get" {
                @for (name, value) in asked.choices() {
                    @if name != "columns" { input type="hidden" name=(name) value=(value); }
                }
                @if let Some(wanted) = asked.filter.wanted.as_ref().map(Where::text) {
                    input type="hidden" name="where" value=(wanted);
                }
                @for column in Column::ALL {
                    @let is_number = column == Column::Number;
                    label {
                        input type="checkbox" name="columns" value=(column.name())
                            checked[asked.columns.has(column)] disabled[is_number];
                        " " (column.heading())
                    }
                }
                button type="submit" { "Show these" }
            }
        }
    }
}

pub(crate) fn downloads(asked: &Asked) -> Markup {
    html! {
        details.tool id="save" {
            summary { "Save" }
            div.save {
                p { "What this list has, oldest first:" }
                ul {
                    @for form in Form::ALL {
                        li {
                            a href={ "/exchanges." (form.name()) (asked.restrictions()) } download { (form.words()) }
                        }
                    }
                }
                p.dim {
                    "At most " (count(DOWNLOAD_EXCHANGES)) " exchanges and "
                    (byte_size(DOWNLOAD_BYTES)) "; a file that is cut says so at its end."
                }
            }
        }
    }
}
