/// Why what is configured cannot hold.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {file}: {source} (--config)")]
    Unreadable {
        /// Its name.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// It is longer than any configuration.
    #[error("{file} is no configuration: it is longer than {max} bytes", max = crate::limits::CONFIG_FILE_BYTES)]
    TooLong {
        /// Its name.
        file: String,
    },
    /// Something in it.
    #[error("{file}, line {line}, column {column}: {what}")]
    At {
        /// Its name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there, and what to do.
        what: String,
    },
    /// Two settings of different layers that exclude each other.
    #[error("{0}")]
    Together(String),
}
