//! What the document says of every endpoint alike.

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, Info, OpenApi, OpenApiBuilder, Ref, RefOr, Response, ResponseBuilder,
};
use utoipa::{PartialSchema as _, ToSchema as _};

use super::schema::Problem;

/// The document before any endpoint.
pub(super) fn empty() -> OpenApi {
    let mut info = Info::new("parallax", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "What the page shows, as JSON. Only GET and HEAD are answered; anything else is 405. \
         Numbers that JavaScript would round are strings."
            .to_owned(),
    );
    let components = ComponentsBuilder::new()
        .security_scheme(
            BEARER,
            scheme(HttpAuthScheme::Bearer, "The token or the password."),
        )
        .security_scheme(
            BASIC,
            scheme(
                HttpAuthScheme::Basic,
                "The token or the password as password; any user.",
            ),
        )
        .build();
    let none: [&str; 0] = [];
    OpenApiBuilder::new()
        .info(info)
        .components(Some(components))
        .security(Some([
            SecurityRequirement::new(BEARER, none),
            SecurityRequirement::new(BASIC, none),
        ]))
        .build()
}

/// The same with the errors that any endpoint may answer.
pub(super) fn completed(mut openapi: OpenApi) -> OpenApi {
    let components = openapi.components.get_or_insert_default();
    let schemas = &mut components.schemas;
    schemas.insert(Problem::name().into(), Problem::schema());
    for path in openapi.paths.paths.values_mut() {
        for operation in operations(path) {
            for (status, what) in ANYWHERE {
                let responses = &mut operation.responses.responses;
                responses
                    .entry(status.to_owned())
                    .or_insert_with(|| problem(what));
            }
        }
    }
    openapi
}

/// Errors that do not depend on what was asked for.
const ANYWHERE: [(&str, &str); 4] = [
    (
        "400",
        "A parameter is not understood; the error names it and says what it may be.",
    ),
    (
        "401",
        "The token or password is missing, or is not the right one.",
    ),
    (
        "429",
        "Too many wrong passwords: Retry-After says when one is heard again.",
    ),
    (
        "421",
        "The Host header is not one of this page's own names.",
    ),
];

fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let all = [
        &mut path.get,
        &mut path.post,
        &mut path.put,
        &mut path.delete,
    ];
    all.into_iter().filter_map(Option::as_mut)
}

const BEARER: &str = "bearer";
const BASIC: &str = "basic";

fn scheme(kind: HttpAuthScheme, what: &str) -> SecurityScheme {
    let http = HttpBuilder::new().scheme(kind);
    SecurityScheme::Http(http.description(Some(what)).build())
}

fn problem(what: &str) -> RefOr<Response> {
    let schema = Ref::from_schema_name(Problem::name());
    let content = ContentBuilder::new().schema(Some(schema)).build();
    let response = ResponseBuilder::new().description(what);
    response.content("application/json", content).build().into()
}
