use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::{Finding, json as noun};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::asked::{Pairs, Switch, query};
use super::rows::rows;
use super::schema;
use crate::app::App;
use crate::filter::Filter;
use crate::problem::{ApiProblem, Problem};

/// Findings, the gravest first
///
/// Those that are not muted; with `muted=1` those that are.
#[utoipa::path(
    get,
    path = "/findings",
    params(Which),
    responses((status = OK, description = "All of them.", body = Findings)),
)]
pub(super) async fn findings(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    let muted = match query::<Which>(asked)?.as_slice() {
        [] => false,
        [(_, value)] if value == "1" => true,
        _ => return Err(Problem::bad_query("muted must be 1 or absent.").into()),
    };
    let counts = app.journal.counts();
    let findings = if muted {
        app.journal.muted_findings()
    } else {
        app.journal.findings()
    };
    let with_rows = |finding: &Finding| {
        let mut value = noun::finding(finding);
        let filter = Filter {
            finding: Some(finding.code),
            muted,
            ..Filter::default()
        };
        let showing = if muted {
            counts.showing_muted(finding.code)
        } else {
            counts.showing(finding.code)
        };
        value["kept"] = rows(&filter, showing);
        value["occurrences"] = noun::occurrences(&finding.occurrences);
        value
    };
    let findings: Vec<_> = findings.iter().map(with_rows).collect();
    Ok(Json(json!({ "findings": findings })))
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Findings {
    /// One for each diagnosis and place.
    findings: Vec<schema::Finding>,
}

/// Which findings.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the question")]
struct Which {
    /// Those that a rule mutes.
    #[param(inline, nullable = false)]
    muted: Option<Switch>,
}
