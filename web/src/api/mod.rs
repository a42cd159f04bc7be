//! The same things as JSON, for programs; fields are those of
//! [`parallax_captures::json`]. What is served and what the document at
//! `/api/v1/openapi.json` says of it are one thing.
//!
//! To add an endpoint: a file here with one handler under `#[utoipa::path]` (path,
//! parameters as an `IntoParams`, read by [`asked::query`], the answer's type and the
//! errors that are its own), and one line in [`routes`]. What every endpoint has in common
//! (who may ask, which errors come from anywhere) is added by [`document`]. The test
//! `every_answer_is_as_the_document_says` then asks it and compares; a noun that gains a
//! field in JSON gains it in [`schema`], which that test insists on.

mod access;
mod activity;
mod asked;
mod comparison;
mod connections;
mod document;
mod exchange;
mod exchanges;
mod faults;
mod figures;
mod filter_fields;
mod findings;
mod latency;
mod message;
mod mirror;
mod overload;
mod partition;
mod partitions;
mod recording;
mod rows;
mod schema;
mod times;
mod troubles;

use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::problem::{ApiProblem, Problem};

/// Where the API begins.
pub(crate) const ROOT: &str = "/api/v1";

pub(crate) fn routes() -> Router<Arc<App>> {
    let described = OpenApiRouter::new()
        .routes(routes!(exchanges::exchanges))
        .routes(routes!(exchange::exchange))
        .routes(routes!(comparison::comparison))
        .routes(routes!(times::times))
        .routes(routes!(message::message))
        .routes(routes!(filter_fields::filter_fields))
        .routes(routes!(figures::figures))
        .routes(routes!(faults::faults))
        .routes(routes!(findings::findings))
        .routes(routes!(connections::connections))
        .routes(routes!(latency::latency))
        .routes(routes!(partitions::partitions))
        .routes(routes!(partition::partition))
        .routes(routes!(recording::recording))
        .routes(routes!(access::access))
        .routes(routes!(activity::activity))
        .routes(routes!(mirror::mirror))
        .routes(routes!(mirror::mirrors))
        .routes(routes!(overload::overload))
        .routes(routes!(troubles::troubles))
        .fallback(async || ApiProblem::from(Problem::not_found("There is no such thing.")));
    let described = OpenApiRouter::with_openapi(document::empty()).nest(ROOT, described);
    let (router, openapi) = described.split_for_parts();
    let openapi = document::completed(openapi);
    let document = get(async || Json(openapi));
    router.route(&format!("{ROOT}/openapi.json"), document)
}
