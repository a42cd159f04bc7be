//! A route's server: reached, recognised, and over HTTP the same one.

use parallax_codec::Dialect;
use parallax_codec::commands::Stats;

use super::check::Check;
use super::machine::listens;
use crate::limits::{CLOCKS_DIFFER, DOCTOR_PATIENCE, STARTS_DIFFER};
use crate::live::RouteConfig;
use crate::mirror::{Answers, HttpLook, HttpStats, Look};

/// What over TCP and over HTTP is compared.
#[derive(Debug, Default)]
struct Seen {
    tcp: Option<Stats>,
    http: Option<HttpStats>,
}

pub(super) async fn checks(route: &RouteConfig) -> Vec<Check> {
    let advice = "Choose another with --listen, or end what listens there";
    let mut checks = vec![listens("listen", &route.listen, advice)];
    let mut seen = Seen::default();
    over_tcp(route, &mut seen, &mut checks).await;
    match &route.http {
        Some(base) => over_http(route, base, &mut seen, &mut checks).await,
        None => checks.push(Check::warning(
            "http",
            "HTTP is not asked, so nothing is compared",
            "Start without --no-mirror",
        )),
    }
    for check in &mut checks {
        check.route.clone_from(&route.name);
    }
    checks
}

async fn over_tcp(route: &RouteConfig, seen: &mut Seen, checks: &mut Vec<Check>) {
    let address = &route.upstream;
    let look = Look {
        address,
        tls: route.tls.upstream.as_deref(),
        limit: DOCTOR_PATIENCE,
    };
    if let Err(why) = look.reach().await {
        checks.push(Check::failed(
            "upstream",
            why,
            "Is the Iggy server running, and is --upstream the address of its TCP listener? With \
             TLS: is its certificate by --upstream-ca, for --upstream-name, and not expired?",
        ));
        return;
    }
    let with = match look.tls {
        None => "",
        Some(tls) if tls.is_checked() => " with TLS, its certificate is good",
        Some(_) => " with TLS, its certificate was NOT looked at (--upstream-insecure)",
    };
    checks.push(Check::ok("upstream", format!("{address} is reached{with}")));
    let dialect = match look.dialect().await {
        Ok(Answers::Dialect(dialect)) => dialect,
        Ok(other) => {
            checks.push(no_iggy(address, &other));
            return;
        }
        Err(why) => {
            checks.push(Check::failed(
                "dialect",
                why,
                "Ask again, and look at the server's log",
            ));
            return;
        }
    };
    let name = match dialect {
        Dialect::Classic => "classic (servers up to 0.8)",
        Dialect::Vsr => "VSR (servers from 0.9)",
    };
    checks.push(Check::ok(
        "dialect",
        format!("{address} answers a ping in {name}"),
    ));
    let Some(credentials) = &route.http_credentials else {
        let seen = "nobody to log in as over TCP, so the server was not asked";
        checks.push(Check::not_known("version", seen, Some(NAME_A_USER)));
        return;
    };
    match look.stats(dialect, credentials).await {
        Ok(stats) => {
            let (version, host) = (&stats.iggy_server_version, &stats.hostname);
            let said = format!("{version} on {host}, process {}", stats.process_id);
            checks.push(Check::ok("version", said));
            seen.tcp = Some(stats);
        }
        Err(why) => checks.push(Check::warning(
            "version",
            why,
            "Are user and password right, and may the user read statistics?",
        )),
    }
}

const NAME_A_USER: &str =
    "Name one with --http-user, and its password in PARALLAX_HTTP_PASSWORD or --http-password-file";

fn no_iggy(address: &str, answers: &Answers) -> Check {
    let (seen, advice) = match answers {
        Answers::Http => (
            format!("{address} speaks HTTP"),
            "--upstream is the server's TCP address, mostly port 8090; HTTP's goes into --http",
        ),
        Answers::Tls => (
            format!("{address} speaks TLS"),
            "Add --upstream-tls, or name the port that is plain",
        ),
        Answers::Nothing => (
            format!("{address} takes the connection and answers no ping, in neither dialect"),
            "Is it an Iggy server's TCP port? If it speaks TLS, add --upstream-tls",
        ),
        Answers::Other(bytes) => {
            let begin = &bytes[..bytes.len().min(SHOWN)];
            (
                format!("{address} answers a ping with {begin:02x?}, as no Iggy server does"),
                "Is --upstream the address of the Iggy server's TCP listener?",
            )
        }
        Answers::Dialect(_) => (String::new(), ""),
    };
    Check::failed("dialect", seen, advice)
}

/// Bytes that are shown of what is no Iggy server.
const SHOWN: usize = 16;

async fn over_http(route: &RouteConfig, base: &str, seen: &mut Seen, checks: &mut Vec<Check>) {
    const ADVICE: &str =
        "Is --http the address of the same server's HTTP API? Without it nothing is compared";
    let http = match HttpLook::new(base, route.tls.http.as_deref(), DOCTOR_PATIENCE) {
        Ok(http) => http,
        Err(why) => return checks.push(Check::failed("http", why.to_string(), ADVICE)),
    };
    let ping = match http.ping().await {
        Ok(ping) => ping,
        Err(why) => {
            return checks.push(Check::warning("http", why, ADVICE));
        }
    };
    if !ping.is_iggy {
        let status = ping.status;
        let seen = format!("{base} answers GET /ping with HTTP {status}, as no Iggy server does");
        return checks.push(Check::warning("http", seen, ADVICE));
    }
    checks.push(Check::ok(
        "http",
        format!("{base} is an Iggy server's HTTP"),
    ));
    checks.push(clock(ping.ahead));
    let Some(credentials) = &route.http_credentials else {
        let seen = "no user of parallax's own: HTTP is asked as each client logs in";
        checks.push(Check::not_known("credentials", seen, None));
        checks.push(not_compared());
        return;
    };
    match http.log_in(credentials).await {
        Ok(login) => {
            checks.push(Check::ok(
                "credentials",
                format!("HTTP takes the {credentials:?}"),
            ));
            seen.http = login.stats().await.ok();
        }
        Err(why) => checks.push(Check::failed(
            "credentials",
            why,
            "Correct --http-user, and its password",
        )),
    }
    checks.push(match (&seen.tcp, &seen.http) {
        (Some(tcp), Some(http)) => same(tcp, http),
        _ => not_compared(),
    });
}

fn not_compared() -> Check {
    let seen = "whether TCP and HTTP are one server could not be asked of both";
    Check::not_known("same server", seen, Some(NAME_A_USER))
}

/// By what both say of the process.
fn same(tcp: &Stats, http: &HttpStats) -> Check {
    let started = http.start_time;
    let starts_apart = started.is_some_and(|start| start.abs_diff(tcp.start_time) > STARTS_DIFFER);
    let is_same = (tcp.process_id, tcp.hostname.as_str()) == (http.process_id, &http.hostname);
    let versions = http.iggy_server_version.as_ref();
    let is_version = versions.is_none_or(|version| *version == tcp.iggy_server_version);
    if is_same && is_version && !starts_apart {
        let seen = format!("both are process {} on {}", tcp.process_id, tcp.hostname);
        return Check::ok("same server", seen);
    }
    let seen = format!(
        "TCP is process {} on {}, HTTP is process {} on {}{}",
        tcp.process_id,
        tcp.hostname,
        http.process_id,
        http.hostname,
        if starts_apart {
            ", and they started at different times"
        } else {
            ""
        },
    );
    let advice =
        "Two servers cannot be compared: give --http the address of the server at --upstream";
    Check::failed("same server", seen, advice)
}

fn clock(ahead: Option<i64>) -> Check {
    match ahead {
        None => Check::not_known("clock", "HTTP tells no time", None),
        Some(ahead) if ahead.unsigned_abs() > CLOCKS_DIFFER.as_secs() => Check::warning(
            "clock",
            format!("the server's clock is {ahead} s ahead of this machine's"),
            "Set both by NTP: times of messages and times of passing cannot be compared",
        ),
        Some(_) => Check::ok("clock", "the server's is this machine's, to a few seconds"),
    }
}
