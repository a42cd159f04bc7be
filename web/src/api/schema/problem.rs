use utoipa::ToSchema;

/// Why there is no answer.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Problem {
    /// What was wrong and what to do, in a sentence.
    error: String,
    /// Of an expression: how many characters stand before what is wrong.
    #[schema(nullable = false)]
    position: Option<u64>,
    /// Of an expression: the same with a caret below what is wrong.
    #[schema(nullable = false)]
    pointed_out: Option<String>,
}
