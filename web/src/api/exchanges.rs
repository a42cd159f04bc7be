use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::{VerdictKind, catalog, json as noun};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::asked::{Pairs, Switch, parameter, query, words};
use super::{ROOT, schema};
use crate::app::App;
use crate::asked::Asked;
use crate::limits::{EXCHANGES_AT_ONCE, EXCHANGES_LISTED, MESSAGES_LISTED};
use crate::order::Order;
use crate::problem::{ApiProblem, Problem};

/// Exchanges, newest first unless told
///
/// Those that are kept and meet every restriction given. Messages are cut to a few of each
/// exchange: one exchange alone has all.
#[utoipa::path(
    get,
    path = "/exchanges",
    params(Restrictions),
    responses((status = OK, description = "A page of them.", body = ExchangePage)),
)]
pub(super) async fn exchanges(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    let mut asked = query::<Restrictions>(asked)?;
    let at_once = asked.iter().position(|(name, _)| name == "limit");
    let most = match at_once.map(|at| asked.remove(at)) {
        Some((_, limit)) => at_most(&limit)?,
        None => EXCHANGES_LISTED,
    };
    let asked = Asked::parse(&asked)?.understood()?;
    let listed = asked.page(&app, most).await?;
    let further = listed.next.as_ref();
    let next = further.and_then(|next| next.filter.before);
    let next_page = further.map(|next| format!("{ROOT}/exchanges{}", next.query()));
    let exchanges: Vec<_> = listed
        .exchanges
        .iter()
        .map(|one| with_few_messages(noun::exchange(one)))
        .collect();
    let next = next.filter(|_| asked.order == Order::Newest);
    Ok(Json(
        json!({ "exchanges": exchanges, "next": next, "next_page": next_page }),
    ))
}

/// A page of the list.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct ExchangePage {
    /// The exchanges; of their messages, on each side, the first ten.
    exchanges: Vec<schema::Exchange>,
    /// The `before` of the following page; `null` on the last one, and in another order.
    #[schema(required)]
    next: Option<u64>,
    /// Where the following page is, in any order; `null` on the last one.
    #[schema(required)]
    next_page: Option<String>,
}

/// What a list of exchanges can be restricted by.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the question")]
pub(super) struct Restrictions {
    /// Only those that this expression accepts, like `status == 4100 and topic == metrics`;
    /// `/filter/fields` has what can be named.
    #[param(
        pattern = r"\S",
        format = "parallax-filter",
        nullable = false,
        example = "command == poll_messages"
    )]
    r#where: Option<String>,
    /// Only this connection's.
    #[param(maximum = 9_007_199_254_740_991_u64, nullable = false)]
    conn: Option<u64>,
    /// Only this command's, by its name.
    #[param(
        pattern = "^[a-z0-9_]{1,64}$",
        nullable = false,
        example = "poll_messages"
    )]
    command: Option<String>,
    /// Only those that failed.
    #[param(inline, nullable = false)]
    errors: Option<Switch>,
    /// Only those with this verdict, not muted.
    #[param(inline, nullable = false)]
    verdict: Option<VerdictName>,
    /// Only polls that were answered with no message.
    #[param(inline, nullable = false)]
    empty: Option<Switch>,
    /// Only those that this finding names, not muted.
    #[param(inline, nullable = false)]
    finding: Option<FindingName>,
    /// Only those of which something is muted; with a verdict or finding those of which that is.
    #[param(inline, nullable = false)]
    muted: Option<Switch>,
    /// Only older ones than the exchange with this number.
    #[param(maximum = 9_007_199_254_740_991_u64, nullable = false)]
    before: Option<u64>,
    /// Only newer ones than the exchange with this number.
    #[param(maximum = 9_007_199_254_740_991_u64, nullable = false)]
    after: Option<u64>,
    /// Only those that catch the eye: failed, diverging, undecoded, or with findings that
    /// something is wrong.
    #[param(inline, nullable = false)]
    problems: Option<Switch>,
    /// In which order: by number, by latency (what got no reply is left out), or by bytes.
    #[param(inline, nullable = false)]
    sort: Option<OrderName>,
    /// In an order by latency or size: behind this place, as `next_page` has it.
    #[param(
        pattern = r"^[0-9]{1,15}\.[0-9]{1,15}$",
        nullable = false,
        example = "1500.12"
    )]
    past: Option<String>,
    /// So many at once; 100 unless told.
    #[param(minimum = 1, maximum = 1000, nullable = false)]
    limit: Option<u64>,
}

parameter!(VerdictName, words(VerdictKind::ALL.map(VerdictKind::name)));
parameter!(
    FindingName,
    words(catalog::all().map(|entry| entry.code.to_string()))
);
parameter!(OrderName, words(Order::ALL.map(Order::name)));

fn at_most(limit: &str) -> Result<usize, Problem> {
    let number = limit.parse().ok();
    let number = number.filter(|number| (1..=EXCHANGES_AT_ONCE).contains(number));
    let what = format!("limit must be a whole number from 1 to {EXCHANGES_AT_ONCE}.");
    number.ok_or_else(|| Problem::bad_query(what))
}

/// The same with at most [`MESSAGES_LISTED`] in every list of messages, and
/// beside it how many were left out.
fn with_few_messages(mut value: Value) -> Value {
    cut_messages(&mut value);
    value
}

fn cut_messages(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let mut left_out = 0;
            if let Some(Value::Array(messages)) = fields.get_mut("messages") {
                left_out = messages.len().saturating_sub(MESSAGES_LISTED);
                messages.truncate(MESSAGES_LISTED);
            }
            if left_out > 0 {
                fields.insert("messages_left_out".to_owned(), left_out.into());
            }
            fields.values_mut().for_each(cut_messages);
        }
        Value::Array(values) => values.iter_mut().for_each(cut_messages),
        _ => {}
    }
}
