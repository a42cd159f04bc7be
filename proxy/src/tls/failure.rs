//! Why TLS failed, and what to do, told from what the library or the other end says.

use std::io;
use std::time::Duration;

use jiff::Timestamp;
use parallax_codec::recognise::{Protocol, recognise};
use rustls::pki_types::UnixTime;
use rustls::{AlertDescription, CertificateError, Error};

use crate::limits::TLS_NAMES_SAID;

/// Why TLS failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TlsFault {
    /// One end asks for a certificate of the other, which shows none.
    CertificateRequired,
    /// One end's certificate is past its time, or before it.
    CertificateTime,
    /// One end refuses the other's certificate for another reason.
    CertificateRefused,
    /// The other end closed before the handshake was done.
    Closed,
    /// What the other end sends is no TLS.
    NotTls,
    /// Any other failure.
    Other,
    /// The handshake took too long.
    TimedOut,
    /// One end does not know the authority that issued the other's certificate.
    UnknownIssuer,
    /// The server's certificate is for other names.
    WrongName,
}

/// A failure: its kind, for a program to read, and cause and advice, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFailure {
    /// The kind.
    pub fault: TlsFault,
    /// Cause and what to do. The same for the same cause, so that it can be counted.
    pub message: String,
}

/// Why TLS with a client failed. `None` where the connection failed, and not TLS.
pub(crate) fn by_client(error: &io::Error) -> Option<TlsFailure> {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return Some(closed("the client", CLIENT_CLOSED));
    }
    let error = error.get_ref()?.downcast_ref()?;
    Some(match error {
        Error::AlertReceived(alert) => client_refuses(*alert),
        Error::NoCertificatesPresented => TlsFailure {
            fault: TlsFault::CertificateRequired,
            message: "the client shows no certificate, and --tls-client-ca asks for one. Give the \
                      client one, or leave --tls-client-ca out"
                .to_owned(),
        },
        Error::InvalidCertificate(why) => client_is_refused(why),
        Error::InvalidMessage(_) => TlsFailure {
            fault: TlsFault::NotTls,
            message: format!("what the client sends is no TLS. {CLIENT_PLAIN}"),
        },
        error => other(error),
    })
}

/// Why TLS with the server failed. `None` where the connection failed, and not TLS.
pub(crate) fn by_server(error: &io::Error) -> Option<TlsFailure> {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return Some(closed("the server", SERVER_PLAIN));
    }
    let error = error.get_ref()?.downcast_ref()?;
    Some(match error {
        Error::AlertReceived(alert) => server_refuses(*alert),
        Error::InvalidCertificate(why) => server_is_refused(why),
        Error::InvalidMessage(_) => TlsFailure {
            fault: TlsFault::NotTls,
            message: format!("what the server answers is no TLS. {SERVER_PLAIN}"),
        },
        error => other(error),
    })
}

/// A client whose first bytes are not TLS.
pub(crate) fn spoke_no_tls(first: &[u8]) -> TlsFailure {
    let what = match recognise(first) {
        Some(Protocol::Classic) => "a plain Iggy request, as to servers up to 0.8",
        Some(Protocol::Vsr) => "a plain Iggy request, as to servers from 0.9",
        Some(Protocol::Http) => "plain HTTP, which is not for this port",
        Some(Protocol::ProxyV1 | Protocol::ProxyV2) => {
            "a PROXY protocol header, which is not taken"
        }
        _ => "no TLS",
    };
    TlsFailure {
        fault: TlsFault::NotTls,
        message: format!("the client's first bytes are {what}. {CLIENT_PLAIN}"),
    }
}

/// A client that did not finish the handshake within so long.
pub(crate) fn client_timed_out(limit: Duration) -> TlsFailure {
    TlsFailure {
        fault: TlsFault::TimedOut,
        message: format!(
            "the client did not finish the handshake within {limit:?}. A client that waits for \
             the server to speak first is none of Iggy's"
        ),
    }
}

/// A server that did not.
pub(crate) fn server_timed_out(limit: Duration) -> TlsFailure {
    TlsFailure {
        fault: TlsFault::TimedOut,
        message: format!(
            "the server did not finish the handshake within {limit:?}. {SERVER_PLAIN}"
        ),
    }
}

const CLIENT_PLAIN: &str = "Turn TLS on in the client (tls_enabled in Iggy's Rust SDK), or start \
                            parallax without --tls-certificate and --tls-ca";

const CLIENT_CLOSED: &str = "A client that does not take parallax's certificate may do so: its own \
                             log says why";

const SERVER_PLAIN: &str = "A server without TLS does so: turn TLS on there ([tcp.tls] enabled), or \
                            start parallax without --upstream-tls";

fn closed(whom: &str, advice: &str) -> TlsFailure {
    TlsFailure {
        fault: TlsFault::Closed,
        message: format!("{whom} closed the connection during the handshake. {advice}"),
    }
}

fn other(error: &Error) -> TlsFailure {
    let advice = match error {
        Error::PeerIncompatible(_) => ". parallax speaks TLS 1.2 and 1.3",
        _ => "",
    };
    TlsFailure {
        fault: TlsFault::Other,
        message: format!("{error}{advice}"),
    }
}

/// A client tells why it does not take parallax's certificate, in one word.
fn client_refuses(alert: AlertDescription) -> TlsFailure {
    use AlertDescription as Alert;
    let (fault, why) = match alert {
        Alert::UnknownCA => (
            TlsFault::UnknownIssuer,
            "the client does not know the authority that issued parallax's certificate. Give the \
             client the authority's certificate (tls_ca_file in Iggy's Rust SDK)",
        ),
        Alert::CertificateExpired => (
            TlsFault::CertificateTime,
            "for the client parallax's certificate has expired, or is not valid yet. Make a new \
             one (`parallax ca --renew`) and send parallax SIGHUP; check both clocks",
        ),
        Alert::BadCertificate | Alert::CertificateUnknown => (
            TlsFault::CertificateRefused,
            "the client does not take parallax's certificate. Most often it is not for the name \
             that the client asks for (tls_domain in Iggy's Rust SDK): make one for that name \
             (`parallax ca --renew --name NAME`), or ask for one that it has",
        ),
        alert => return alerted("client", alert),
    };
    TlsFailure {
        fault,
        message: why.to_owned(),
    }
}

/// The server tells why it ends the connection, in one word.
fn server_refuses(alert: AlertDescription) -> TlsFailure {
    use AlertDescription as Alert;
    let (fault, why) = match alert {
        Alert::CertificateRequired => (
            TlsFault::CertificateRequired,
            "the server asks for a certificate of parallax's. Give one with \
             --upstream-certificate and --upstream-key",
        ),
        Alert::UnknownCA => (
            TlsFault::UnknownIssuer,
            "the server does not know the authority that issued parallax's certificate \
             (--upstream-certificate)",
        ),
        Alert::CertificateExpired => (
            TlsFault::CertificateTime,
            "for the server parallax's certificate (--upstream-certificate) has expired, or is \
             not valid yet. Renew it and send parallax SIGHUP; check both clocks",
        ),
        Alert::BadCertificate | Alert::CertificateUnknown | Alert::AccessDenied => (
            TlsFault::CertificateRefused,
            "the server does not take parallax's certificate (--upstream-certificate): its own \
             log says why",
        ),
        Alert::UnrecognisedName => (
            TlsFault::WrongName,
            "the server has no certificate for the name that it was asked for. Set it with \
             --upstream-name",
        ),
        alert => return alerted("server", alert),
    };
    TlsFailure {
        fault,
        message: why.to_owned(),
    }
}

fn alerted(whom: &str, alert: AlertDescription) -> TlsFailure {
    TlsFailure {
        fault: TlsFault::Other,
        message: format!("the {whom} ended TLS with the alert {alert:?}: its own log says why"),
    }
}

/// Why parallax does not take a client's certificate.
fn client_is_refused(why: &CertificateError) -> TlsFailure {
    let (fault, message) = match why {
        CertificateError::UnknownIssuer => (
            TlsFault::UnknownIssuer,
            "the client's certificate is of no authority in --tls-client-ca. Give the client one \
             that is, or add its authority to that file and send parallax SIGHUP"
                .to_owned(),
        ),
        why => match time(why) {
            Some(time) => (
                TlsFault::CertificateTime,
                format!("the client's certificate {time}. Renew it; check this machine's clock"),
            ),
            None => (
                TlsFault::CertificateRefused,
                format!("the client's certificate cannot be taken: {why}"),
            ),
        },
    };
    TlsFailure { fault, message }
}

/// Why parallax does not take the server's certificate.
fn server_is_refused(why: &CertificateError) -> TlsFailure {
    let (fault, message) = match why {
        CertificateError::UnknownIssuer => (
            TlsFault::UnknownIssuer,
            "the server's certificate is of no authority that parallax knows. Give the \
             authority's certificate with --upstream-ca; a server that signs its own is its own \
             authority"
                .to_owned(),
        ),
        CertificateError::NotValidForName => (
            TlsFault::WrongName,
            "the server's certificate is not for the name that it was asked for. Set the right \
             one with --upstream-name"
                .to_owned(),
        ),
        CertificateError::NotValidForNameContext {
            expected,
            presented,
        } => (
            TlsFault::WrongName,
            format!(
                "the server's certificate is not for {:?} but for {}. Set the right name with \
                 --upstream-name",
                expected.to_str(),
                listed(presented)
            ),
        ),
        why => match time(why) {
            Some(time) => (
                TlsFault::CertificateTime,
                format!("the server's certificate {time}. Renew it; check this machine's clock"),
            ),
            None => (
                TlsFault::CertificateRefused,
                format!("the server's certificate cannot be taken: {why}"),
            ),
        },
    };
    TlsFailure { fault, message }
}

/// What is wrong with the time of a certificate, if that is it.
fn time(why: &CertificateError) -> Option<String> {
    Some(match why {
        CertificateError::Expired => "has expired".to_owned(),
        CertificateError::ExpiredContext { not_after, .. } => {
            format!("has expired at {}", shown(*not_after))
        }
        CertificateError::NotValidYet => "is not valid yet".to_owned(),
        CertificateError::NotValidYetContext { not_before, .. } => {
            format!("is not valid before {}", shown(*not_before))
        }
        _ => return None,
    })
}

fn shown(time: UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).ok();
    let time = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    time.map_or_else(|| "a time out of range".to_owned(), |time| time.to_string())
}

/// The names of a certificate: whoever made it chose them, and how many.
fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "no name at all".to_owned();
    }
    let (most, characters) = TLS_NAMES_SAID;
    let mut shown: Vec<_> = names
        .iter()
        .take(most)
        .map(|name| format!("{:?}", name.chars().take(characters).collect::<String>()))
        .collect();
    if names.len() > most {
        shown.push(format!("{} more", names.len() - most));
    }
    shown.join(", ")
}
