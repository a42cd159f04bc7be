//! Where a collector is, and what it is told.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::limits::{OTLP_METRICS_EVERY, OTLP_TIMEOUT};

/// Where a collector is, and what it is told.
#[derive(Debug, Clone)]
pub struct OtlpConfig {
    /// Base URL, without a slash at the end: `/v1/logs` and the others follow.
    pub(super) endpoint: String,
    /// Sent with each request. Marked as sensitive, so that `Debug` shows none.
    pub(super) headers: HeaderMap,
    /// The part of the exchanges that are sent as spans, 0 to 1.
    pub(super) sample: f64,
    /// `service.name`.
    pub(super) service: String,
    /// Further attributes of what sends.
    pub(super) attributes: Vec<(String, String)>,
    /// How long a request may take, connecting included.
    pub(super) timeout: Duration,
    /// How often figures are sent.
    pub(super) metrics_every: Duration,
}

/// Why a collector cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum OtlpError {
    /// The address is not one of an HTTP server.
    #[error(
        "{address:?} is no address of a collector ({why}); give one like http://127.0.0.1:4318"
    )]
    Address {
        /// As given, without user name and password.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// Headers are not written as they are to be. They are not shown: they may be secrets.
    #[error(
        "the headers for the collector cannot be read: {0}; write them as name=value,name=value"
    )]
    Headers(&'static str),
    /// Attributes are not written as they are to be.
    #[error("{0:?} is no attribute; write them as name=value,name=value")]
    Attributes(String),
    /// There is no such part.
    #[error("{0} is no part of all exchanges: give a number from 0 to 1, like 0.01")]
    Sample(f64),
    /// The HTTP client could not be made.
    #[error("the HTTP client could not be set up: {0}")]
    Client(String),
}

impl OtlpConfig {
    /// Sends to the collector at `address`, like `http://127.0.0.1:4318`, and the part
    /// `sample` of the exchanges.
    ///
    /// # Errors
    /// The address is of no HTTP server, or there is no such part.
    pub fn new(address: &str, sample: f64) -> Result<Self, OtlpError> {
        if !(0.0..=1.0).contains(&sample) {
            return Err(OtlpError::Sample(sample));
        }
        Ok(Self {
            endpoint: endpoint(address)?,
            headers: HeaderMap::new(),
            sample,
            service: "parallax".to_owned(),
            attributes: Vec::new(),
            timeout: OTLP_TIMEOUT,
            metrics_every: OTLP_METRICS_EVERY,
        })
    }

    /// With these headers, as `OTEL_EXPORTER_OTLP_HEADERS` writes them: `name=value`, with
    /// commas between them, the values percent-encoded.
    ///
    /// # Errors
    /// They are written otherwise.
    pub fn with_headers(mut self, text: &str) -> Result<Self, OtlpError> {
        for pair in pairs(text) {
            let (name, value) = pair
                .split_once('=')
                .ok_or(OtlpError::Headers("no = in one"))?;
            let name = HeaderName::from_bytes(name.trim().as_bytes());
            let name = name.map_err(|_| OtlpError::Headers("a name that is none"))?;
            let value =
                decoded(value.trim()).ok_or(OtlpError::Headers("a % without two digits"))?;
            let value = HeaderValue::from_bytes(&value);
            let mut value = value.map_err(|_| OtlpError::Headers("a value that is none"))?;
            value.set_sensitive(true);
            self.headers.insert(name, value);
        }
        Ok(self)
    }

    /// With these attributes, as `OTEL_RESOURCE_ATTRIBUTES` writes them: `name=value`, with
    /// commas between them, the values percent-encoded. `service.name` names the service.
    ///
    /// # Errors
    /// They are written otherwise.
    pub fn with_attributes(mut self, text: &str) -> Result<Self, OtlpError> {
        for pair in pairs(text) {
            let wrong = || OtlpError::Attributes(pair.to_owned());
            let (name, value) = pair.split_once('=').ok_or_else(wrong)?;
            let value = decoded(value.trim()).ok_or_else(wrong)?;
            let value = String::from_utf8(value).map_err(|_| wrong())?;
            match name.trim() {
                "" => return Err(wrong()),
                "service.name" => self.service = value,
                name => self.attributes.push((name.to_owned(), value)),
            }
        }
        Ok(self)
    }

    /// By this name.
    #[must_use]
    pub fn named(mut self, service: String) -> Self {
        self.service = service;
        self
    }

    /// With other times: how long a request may take, and how often figures are sent.
    #[must_use]
    pub const fn timed(mut self, timeout: Duration, metrics_every: Duration) -> Self {
        (self.timeout, self.metrics_every) = (timeout, metrics_every);
        self
    }

    /// How long a request may take, and how often figures are sent.
    pub const fn times(&self) -> (Duration, Duration) {
        (self.timeout, self.metrics_every)
    }

    /// Where it sends, as it may be shown.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

fn endpoint(address: &str) -> Result<String, OtlpError> {
    let wrong = |shown: &str, why: &str| OtlpError::Address {
        address: shown.to_owned(),
        why: why.to_owned(),
    };
    // What cannot be parsed is not shown: there may be a password in it.
    let url = Url::parse(address).map_err(|error| wrong("…", &error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        let why = "it holds a user name or password; use OTEL_EXPORTER_OTLP_HEADERS";
        return Err(wrong("…", why));
    }
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong(address, "it does not begin with http:// or https://"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("…", "it has a query or a fragment"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

fn pairs(text: &str) -> impl Iterator<Item = &str> {
    text.split(',')
        .map(str::trim)
        .filter(|pair| !pair.is_empty())
}

/// Percent-encoding undone; `None` where it is none.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let value = digit(bytes.next())? * 16 + digit(bytes.next())?;
        out.push(u8::try_from(value).ok()?);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_an_http_server_and_its_secrets_are_not_shown() {
        let config = OtlpConfig::new("http://127.0.0.1:4318/", 0.5).unwrap();
        assert_eq!(config.endpoint(), "http://127.0.0.1:4318");
        let behind = OtlpConfig::new("https://collector.example/otlp", 1.0).unwrap();
        assert_eq!(behind.endpoint(), "https://collector.example/otlp");
        for wrong in [
            "127.0.0.1:4318",
            "grpc://a:4317",
            "http://",
            "http://a?key=canary",
        ] {
            let error = OtlpConfig::new(wrong, 0.5).unwrap_err().to_string();
            assert!(error.contains("http://127.0.0.1:4318"), "{error}");
            assert!(!error.contains("canary"), "{error}");
        }
        let error = OtlpConfig::new("http://me:canary@a:1", 0.5).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"));
    }

    #[test]
    fn headers_are_read_as_opentelemetry_writes_them_and_never_shown() {
        let config = OtlpConfig::new("http://a:1", 0.5).unwrap();
        let config = config
            .with_headers("authorization=Bearer%20canary, x-scope=one")
            .unwrap();
        assert_eq!(config.headers["authorization"], "Bearer canary");
        assert_eq!(config.headers["x-scope"], "one");
        assert!(!format!("{config:?}").contains("canary"));
        for wrong in ["canary", "a b=canary", "a=%zcanary", "a=canary%0a"] {
            let config = OtlpConfig::new("http://a:1", 0.5).unwrap();
            let error = config.with_headers(wrong).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
        }
    }

    #[test]
    fn attributes_are_those_of_the_service_or_further_ones() {
        let config = OtlpConfig::new("http://a:1", 0.5).unwrap();
        let text = "service.name=edge%20proxy,deployment.environment.name=test";
        let config = config.with_attributes(text).unwrap();
        assert_eq!(config.service, "edge proxy");
        let further = ("deployment.environment.name".to_owned(), "test".to_owned());
        assert_eq!(config.attributes, [further]);
        let config = OtlpConfig::new("http://a:1", 0.5).unwrap();
        assert!(config.with_attributes("nothing").is_err());
    }

    #[test]
    fn a_part_is_between_nothing_and_all() {
        for wrong in [-0.1, 1.1, f64::NAN] {
            assert!(OtlpConfig::new("http://a:1", wrong).is_err(), "{wrong}");
        }
    }
}
