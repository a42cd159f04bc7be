use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::{Dimension, Side};
use serde_json::Value;
use utoipa::openapi::schema::ObjectBuilder;
use utoipa::{IntoParams, ToSchema};

use super::asked::{Pairs, Switch, parameter, query, words};
use super::schema;
use crate::app::{App, looked_up};
use crate::latency::{Choice, Report, json};
use crate::problem::{ApiProblem, Problem};

/// Service times, by command and side
///
/// In microseconds, within 1 %, as they passed here; also by polling strategy, stream or
/// connection, over time, and two times compared. Taken are whole slices of time, to the
/// nearest: the answer says which.
#[utoipa::path(
    get,
    path = "/latency",
    params(Chosen),
    responses((status = OK, description = "Percentiles of each.", body = LatencySeries)),
)]
pub(super) async fn latency(
    State(app): State<Arc<App>>,
    Query(asked): Pairs,
) -> Result<Json<Value>, ApiProblem> {
    let mut asked = query::<Chosen>(asked)?;
    let mut take = |wanted: &str| {
        let at = asked.iter().position(|(name, _)| name == wanted)?;
        Some(asked.remove(at).1)
    };
    let label = take("label");
    let with_slices = match take("slices").as_deref() {
        None => false,
        Some("1") => true,
        Some(_) => return Err(Problem::bad_query("slices must be 1 or absent.").into()),
    };
    let choice = Choice::parse(&asked)?;
    let look = move |app: &App| {
        let report = Report::of(&app.journal, choice);
        json::report(&report, label.as_deref(), with_slices)
    };
    Ok(Json(looked_up(app, look).await))
}

/// Which latencies.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the question")]
struct Chosen {
    /// By what, beside command and side, they are told apart; by the command alone unless
    /// told.
    #[param(inline, nullable = false)]
    by: Option<DimensionName>,
    /// Only this side's.
    #[param(inline, nullable = false)]
    side: Option<SideName>,
    /// Only this command's, by its name.
    #[param(
        pattern = "^[a-z0-9_]{1,64}$",
        nullable = false,
        example = "poll_messages"
    )]
    command: Option<String>,
    /// Only those with this label, as a text.
    #[param(min_length = 1, nullable = false, example = "next")]
    label: Option<String>,
    /// Only those of requests whose first byte passed not before this.
    #[param(inline, nullable = false)]
    from: Option<Instant>,
    /// Only those of requests whose first byte passed before this.
    #[param(inline, nullable = false)]
    to: Option<Instant>,
    /// Begin of a second time, to compare the first with.
    #[param(inline, nullable = false)]
    from2: Option<Instant>,
    /// End of that.
    #[param(inline, nullable = false)]
    to2: Option<Instant>,
    /// Also over time.
    #[param(inline, nullable = false)]
    slices: Option<Switch>,
}

parameter!(DimensionName, words(Dimension::ALL.map(Dimension::name)));
parameter!(SideName, words(Side::ALL.map(Side::name)));
parameter!(Instant, time().into());

/// A time of which nobody can be in doubt.
fn time() -> ObjectBuilder {
    let pattern = "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])\
                   T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?Z$";
    ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .pattern(Some(pattern))
        .examples(["2026-11-28T07:05:05Z"])
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct LatencySeries {
    /// By what, beside command and side, the series are told apart.
    #[schema(pattern = "^(command|strategy|stream|connection)$")]
    by: String,
    /// How long a slice of time is, in microseconds. It doubles as time goes on.
    slice_us: u64,
    /// The time that the series are of, in whole slices; `null` where there is none.
    #[schema(required)]
    time: Option<Time>,
    /// The time that this is compared with, where one was asked for; `null` where there is
    /// none.
    compared_with: Option<Time>,
    /// One for each label, command and side.
    series: Vec<Percentiles>,
    /// How each series changed, where two times were asked for.
    #[schema(nullable = false)]
    comparison: Option<Vec<Compared>>,
    /// Latencies that are in no series, for a limit.
    unrecorded: u64,
    /// Operations that were told "not now" and asked again: each counts once, from its first
    /// attempt on.
    retried: u64,
}

/// From a moment until before another.
#[derive(ToSchema)]
#[schema(as = LatencyTime)]
#[expect(dead_code, reason = "describes the answer")]
struct Time {
    /// RFC 3339.
    #[schema(format = DateTime)]
    from: String,
    /// RFC 3339.
    #[schema(format = DateTime)]
    to: String,
}

/// How long one command took on one side.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Percentiles {
    /// The strategy, stream or connection; `null` by command.
    #[schema(required)]
    label: Option<schema::Identifier>,
    /// The command.
    command: String,
    /// `tcp`: the client's own exchanges; `http`: the mirror's questions, at the time of
    /// the poll that they belong to.
    #[schema(pattern = "^(tcp|http)$")]
    side: String,
    /// Exchanges that were timed.
    count: u64,
    /// Half took no longer.
    p50_us: u64,
    /// Nine of ten took no longer.
    p90_us: u64,
    /// 99 of 100 took no longer.
    p99_us: u64,
    /// 999 of 1000 took no longer.
    p99_9_us: u64,
    /// The longest.
    max_us: u64,
    /// Percentiles for which there are too few samples: they only repeat the longest.
    too_few_for: Vec<String>,
    /// More percentiles, as far as there are enough samples for them.
    curve: Vec<CurvePoint>,
    /// Over time, where asked for: the slices that have anything in them.
    #[schema(nullable = false)]
    slices: Option<Vec<Slice>>,
}

/// Counts and percentiles.
#[derive(ToSchema)]
#[schema(as = LatencyFigures)]
#[expect(dead_code, reason = "describes the answer")]
struct Figures {
    /// Exchanges that were timed.
    count: u64,
    /// Half took no longer.
    p50_us: u64,
    /// Nine of ten took no longer.
    p90_us: u64,
    /// 99 of 100 took no longer.
    p99_us: u64,
    /// 999 of 1000 took no longer.
    p99_9_us: u64,
    /// The longest.
    max_us: u64,
    /// Percentiles for which there are too few samples: they only repeat the longest.
    too_few_for: Vec<String>,
}

/// A point of the percentile curve.
#[derive(ToSchema)]
#[schema(as = LatencyPercentile)]
#[expect(dead_code, reason = "describes the answer")]
struct CurvePoint {
    /// Like `p99.5`.
    percentile: String,
    /// In microseconds.
    us: u64,
}

/// A slice of time.
#[derive(ToSchema)]
#[schema(as = LatencySlice)]
#[expect(dead_code, reason = "describes the answer")]
struct Slice {
    /// When it begins.
    #[schema(format = DateTime)]
    time: String,
    /// Latencies in microseconds, to the precision of the histograms, each with how often
    /// it was met.
    us_and_count: Vec<Vec<u64>>,
}

/// A series at two times.
#[derive(ToSchema)]
#[schema(as = LatencyComparison)]
#[expect(dead_code, reason = "describes the answer")]
struct Compared {
    /// The strategy, stream or connection; `null` by command.
    #[schema(required)]
    label: Option<schema::Identifier>,
    /// The command.
    command: String,
    /// `tcp`: the client's own exchanges; `http`: the mirror's questions, at the time of
    /// the poll that they belong to.
    #[schema(pattern = "^(tcp|http)$")]
    side: String,
    /// At the first time.
    first: Figures,
    /// At the second time.
    second: Figures,
    /// The second by the first.
    ratios: Vec<Ratio>,
    /// What changed, for a person.
    sentence: String,
}

/// How a percentile of the second time stands to that of the first.
#[derive(ToSchema)]
#[schema(as = LatencyRatio)]
#[expect(dead_code, reason = "describes the answer")]
struct Ratio {
    /// Like `p99.9`.
    percentile: String,
    /// In hundredths; `null` where one of the times has too few samples.
    #[schema(required)]
    hundredths: Option<u64>,
    /// It rests on fewer than ten longer samples.
    few_samples: bool,
}
