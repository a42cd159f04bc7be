//! Every limit of this crate, in one place. Where the page leaves something out
//! for one of them, it says so.

use std::time::Duration;

/// Exchanges in one page of the list, and of the API's unless it is told.
pub const EXCHANGES_LISTED: usize = 100;

/// Exchanges in one page of the API's list at most (`limit`).
pub const EXCHANGES_AT_ONCE: usize = 1000;

/// Places with findings in the overview, the gravest first; and of one finding
/// on its page.
pub const FINDINGS_SHOWN: usize = 50;

/// Troubles that are no findings in the overview: connections that failed, a
/// mirror that cannot ask.
pub const TROUBLES_SHOWN: usize = 20;

/// Connections in the overview: the open ones first, then the latest closed.
pub const CONNECTIONS_SHOWN: usize = 50;

/// Bytes of a frame that are shown at first; the rest is a page further.
pub const FRAME_BYTES_SHOWN: usize = 4096;

/// Fields in a decoded tree at first, groups included.
pub const FIELDS_SHOWN: usize = 500;

/// Bytes of a frame in one page, where all is asked for.
pub const FRAME_BYTES_AT_ONCE: usize = 64 * 1024;

/// Fields in a decoded tree in one page, where all is asked for.
pub const FIELDS_AT_ONCE: usize = 8_000;

/// Messages shown one by one.
pub const MESSAGES_SHOWN: usize = 50;

/// Bytes of one payload that are shown at first.
pub const PAYLOAD_BYTES_SHOWN: usize = 2048;

/// Bytes of one payload in one page, where all is asked for.
pub const PAYLOAD_BYTES_AT_ONCE: usize = 64 * 1024;

/// Bytes of the longest payload that is laid out as JSON: laid out it may be thirty
/// times as long.
pub const JSON_LAID_OUT: usize = 256 * 1024;

/// The mirror's answers shown for one poll: one for each partition asked.
pub const ANSWERS_SHOWN: usize = 200;

/// Bars of one drawing of times.
pub const TIMES_DRAWN: usize = 24;

/// Connections to the page at once. Further ones wait to be accepted.
pub const PAGE_CONNECTIONS: usize = 128;

/// Live pages at once. Further ones are told so, and still readable.
pub const EVENT_STREAMS: usize = 32;

/// Least time between two events to one live page: what changed in between is
/// gathered.
pub const EVENT_INTERVAL: Duration = Duration::from_millis(200);

/// How long a browser may take to send a request's head.
pub const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a browser may read nothing of an answer that waits for it. Then its
/// connection is closed, so that those who never read cannot hold every place.
pub const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Messages of one exchange, a side, in the API's list; the single exchange has
/// all.
pub const MESSAGES_LISTED: usize = 10;

/// How long open connections may take to finish when the page is shut down.
pub const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// Searches through the journal at once, each on a thread of its own. Further ones wait,
/// so that slow filters leave a processor to what is recorded.
pub const SEARCHES: usize = 2;

/// Scrapes that are gathered at once; further ones wait.
pub const SCRAPES: usize = 1;

/// Bytes that can be sent to the page at once: a form's.
pub const BODY_BYTES: usize = 64 * 1024;

/// Bytes of a reason, given by a library, that a page tells on.
pub const REFUSAL_BYTES: usize = 4 * 1024;

/// How long what is sent may take to come, and to be answered.
pub const BODY_READ_TIMEOUT: Duration = Duration::from_secs(10);

/// Wrong passwords, by everybody together, in one [`SIGN_IN_WINDOW`]; until it is over
/// further attempts are not heard, and counted.
pub const SIGN_IN_ATTEMPTS: u32 = 10;

/// See [`SIGN_IN_ATTEMPTS`].
pub const SIGN_IN_WINDOW: Duration = Duration::from_mins(1);

/// Latency series that can be chosen at once by one parameter.
pub const LATENCY_CHOSEN: usize = 16;

/// Latency series drawn over each other: as many as can be told apart.
pub const LATENCY_DRAWN: usize = 6;

/// The same where each is drawn for two times.
pub const LATENCY_COMPARED: usize = 3;

/// Latency series in the table, those with the most samples.
pub const LATENCY_ROWS: usize = 200;

/// Columns of a heat map: with more slices of time, several are one column.
pub const HEAT_MAP_COLUMNS: i64 = 64;

/// Cells of all heat maps of a page. With more of them there are fewer columns. There are
/// four maps at most: two sides at two times.
pub const HEAT_MAP_CELLS: usize = 640;

/// Partitions in the list, in its order.
pub const PARTITIONS_SHOWN: usize = 500;

/// Exchanges of a partition before, and likewise after, the one that is looked at.
pub const AROUND_EXCHANGES: usize = 20;

/// Partitions that may be the same as the one shown, by other names.
pub const SAME_PARTITIONS_SHOWN: usize = 3;

/// Readers of a partition that are drawn, each in a lane; those with something wrong
/// first.
pub const READERS_DRAWN: usize = 8;

/// Pieces of time in which neighbouring marks are put together.
pub const DRAWN_COLUMNS: u32 = 200;

/// Bands of one reader that are drawn, the latest.
pub const BANDS_DRAWN: usize = 400;

/// Gaps of one reader that are drawn, the latest; likewise replays, stalls and what
/// changed the log.
pub const TROUBLES_DRAWN: usize = 100;

/// Rows of each table below a partition's drawing, the latest.
pub const LIFE_ROWS: usize = 100;

/// Files from the list, and exchanges as hex, that are made at once, each on a thread of
/// its own. Whoever asks for one more is told to wait.
pub const DOWNLOADS: usize = 4;

/// Exchanges in a file from the list. It says at its end that there are more.
pub const DOWNLOAD_EXCHANGES: u64 = 1_000_000;

/// Bytes of a file from the list, but for those of its last exchange. It says at its end
/// that there are more.
pub const DOWNLOAD_BYTES: u64 = 1024 * 1024 * 1024;

/// Exchanges that are looked for at a time for a file.
pub const DOWNLOAD_BATCH: usize = 256;

/// Bytes of a file, or of an exchange as hex, that are sent at a time.
pub const DOWNLOAD_CHUNK: usize = 64 * 1024;

/// Connections, and exchanges that findings name, that a file remembers while it is made.
/// A connection that is forgotten is told of again; a finding of which all are forgotten is
/// left out.
pub const DOWNLOAD_REMEMBERED: usize = 100_000;

/// Exchanges, the latest, that are looked at to count what a list has, where no figure is
/// kept of it.
pub const COUNT_LOOKED: u64 = 20_000;

/// Rows of the endless list that are in a browser's document; more only where its window
/// shows more. Those far from the window are taken out.
pub const ROWS_SHOWN: usize = 400;

/// Pages of the endless list whose places a browser remembers: a million rows. Of further
/// ones it asks again.
pub const PAGES_KNOWN: usize = 10_000;

/// Gaps, where something was not looked at, that the API tells, the latest.
pub const GAPS_TOLD: usize = 1_000;

/// Words that are offered while a filter is written.
pub const WORDS_OFFERED: usize = 30;

/// Filters that a browser remembers.
pub const FILTERS_REMEMBERED: usize = 20;
