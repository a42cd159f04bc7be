//! Differences between a server's TCP and HTTP that are known and harm nothing.
//! The one source: a comparison that meets one names it, and shows it.

/// A difference, and where it is known from.
#[derive(Debug, PartialEq, Eq)]
pub struct KnownDifference {
    /// Its name. Stable for ever once released.
    pub id: &'static str,
    /// The servers on which it was seen.
    pub versions: &'static str,
    /// What differs, in a clause that goes on after the versions.
    pub what: &'static str,
}

/// From the recording `http_server-0.8.0`: First with count 0, and the poll of the
/// topic `empty`. Server 0.9.0-edge.5 gives the real `current_offset`.
pub static BLANK_WHEN_EMPTY: KnownDifference = KnownDifference {
    id: "http_blank_when_empty",
    versions: "0.8",
    what: "with no message, be it that the poll asked for none, HTTP tells neither partition nor \
           current_offset: both are 0",
};

/// From the recording `http_server-0.8.0`: of the unknown topic `nope` in the
/// stream `otel` it says "Topic with ID: otel for stream with ID: nope was not
/// found".
pub static TOPIC_TEXT_SWAPPED: KnownDifference = KnownDifference {
    id: "http_topic_text_swapped",
    versions: "0.8",
    what: "HTTP puts the stream where the topic belongs in the text of this error",
};

/// From `iggy_common` 0.10.0, `error/iggy_error.rs`: streams have 1009 and 1010,
/// topics 2010 and 2011.
pub static NUMBER_OR_NAME: KnownDifference = KnownDifference {
    id: "not_found_by_number_or_name",
    versions: "0.5 to 0.9",
    what: "one error names the number, the other the name that was not found",
};

/// From both HTTP recordings: an unknown topic is a bare 404 on server 0.9, and an
/// offset that is not stored on both.
pub static BARE_NOT_FOUND: KnownDifference = KnownDifference {
    id: "http_bare_not_found",
    versions: "0.9, about stored offsets 0.8 as well",
    what: "HTTP says not_found without saying what, and TCP says what",
};

/// From case C4, and from both HTTP recordings: Next without a partition answers
/// for partition 0.
pub static DEFAULT_PARTITION: KnownDifference = KnownDifference {
    id: "http_default_partition",
    versions: "0.5 to 0.9",
    what: "an HTTP poll that names no partition is about one and the same, 1 on server 0.5 and 0 \
           from 0.6 on, where the server chooses one for a group's poll on TCP",
};

/// From case C8 (`iggy_message.rs` of server 0.8.0).
pub static HEADERS_AS_BASE64: KnownDifference = KnownDifference {
    id: "http_headers_as_base64",
    versions: "0.8",
    what: "user headers that the server cannot read, like those that a client encrypts, are \
           base64 over HTTP; their bytes are the same",
};

/// From server 0.8.0, `iggy_message.rs`: it reads user headers into a map.
pub static ONE_HEADER_PER_KEY: KnownDifference = KnownDifference {
    id: "http_one_header_per_key",
    versions: "0.8",
    what: "of user headers with the same key HTTP gives the last alone",
};

/// From the recordings `polls` of both servers, which have no such poll: the SDK
/// printed 4009 without sending it (`iggy` 0.10.0, `clients/binary_message.rs`).
pub static COUNT_OF_ZERO: KnownDifference = KnownDifference {
    id: "count_of_zero",
    versions: "0.8 and 0.9",
    what: "the Rust SDK refuses a poll for 0 messages with 4009 before it sends it; a server \
           answers it with an empty list",
};

/// Every known difference.
pub static KNOWN_DIFFERENCES: [&KnownDifference; 8] = [
    &COUNT_OF_ZERO,
    &BLANK_WHEN_EMPTY,
    &TOPIC_TEXT_SWAPPED,
    &NUMBER_OR_NAME,
    &BARE_NOT_FOUND,
    &DEFAULT_PARTITION,
    &HEADERS_AS_BASE64,
    &ONE_HEADER_PER_KEY,
];

impl std::fmt::Display for KnownDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, versions, what } = self;
        write!(f, "Known, harmless ({id}; servers {versions}): {what}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct_and_everything_is_said() {
        let ids: std::collections::HashSet<_> =
            KNOWN_DIFFERENCES.iter().map(|one| one.id).collect();
        assert_eq!(ids.len(), KNOWN_DIFFERENCES.len());
        for one in KNOWN_DIFFERENCES {
            assert!(
                one.what.len() > 20 && !one.versions.is_empty(),
                "{}",
                one.id
            );
            assert!(!one.to_string().contains("  "), "{one}");
        }
    }
}
