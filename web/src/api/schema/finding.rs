use utoipa::ToSchema;

/// One diagnosis at one place.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Finding {
    /// Which diagnosis: `PX` and three digits.
    #[schema(pattern = "^PX[0-9]{3}$")]
    code: String,
    /// What it is, in a few words.
    title: String,
    /// How much it matters.
    #[schema(pattern = "^(error|warning|info)$")]
    severity: String,
    /// What it is about; with the code it tells one finding from another.
    place: String,
    /// How often it was seen.
    count: u64,
    /// When it was first seen.
    #[schema(format = DateTime)]
    first: String,
    /// When it was last seen.
    #[schema(format = DateTime)]
    last: String,
    /// The exchanges that show it: the first ones and the latest ones, the latest last.
    exchanges: Vec<u64>,
    /// What was seen, with numbers.
    evidence: Vec<String>,
    /// Whether a rule mutes it.
    muted: bool,
    /// The rule that mutes it.
    #[schema(required)]
    muted_by: Option<String>,
    /// The exchanges that are kept and that this diagnosis names, at any place.
    kept: Rows,
    /// How often it was seen over time.
    occurrences: Occurrences,
}

/// Slots of equal length; those in which nothing was seen are left out.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Occurrences {
    /// How long each slot lasts.
    slot_ms: u64,
    /// The slots, in their order. None where it is not known when it was seen.
    slots: Vec<OccurrencesSlot>,
}

/// How often within one slot.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct OccurrencesSlot {
    /// When the slot begins.
    #[schema(format = DateTime)]
    begin: String,
    /// How often.
    count: u64,
}

/// How many exchanges there are, and where they are listed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
pub(crate) struct Rows {
    /// How many.
    count: u64,
    /// The address of the list.
    rows: String,
}
