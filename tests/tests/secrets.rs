//! Passwords and tokens that went through parallax are in no page, no JSON, no
//! log and no output: not as they are, not in base64, not in hex.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use iggy::prelude::*;
use parallax_codec::primitives::Secret;
use parallax_proxy::standin::{Standin, StandinConfig};
use parallax_tests::{Running, get, parallax, program, recording};
use tokio::time::timeout;

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_secs(30);

const PASSWORD: &str = "canary-password-41";
const WRONG: &str = "canary-mistaken-42";

/// The forms in which bytes could be shown: as they are, hex in the page's and
/// in others' spacing, base64 at each of its three alignments.
fn forms(secret: &str) -> Vec<String> {
    let hex = |separator: &str| {
        let mut text = String::new();
        for byte in secret.bytes() {
            let _ = write!(text, "{byte:02x}{separator}");
        }
        text.trim_end().to_owned()
    };
    let mut forms = vec![secret.to_owned(), hex(""), hex(" ")];
    for shift in 0..3 {
        let shifted: Vec<u8> = vec![0; shift].into_iter().chain(secret.bytes()).collect();
        let whole = base64(&shifted);
        // The first and last letters depend on the neighbours.
        forms.push(whole[4..whole.len() - 4].to_owned());
    }
    forms
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk
            .iter()
            .fold(0u32, |word, byte| word << 8 | u32::from(*byte));
        let word = word << (8 * (3 - chunk.len()));
        for index in 0..=chunk.len() {
            let letter = word >> (18 - 6 * index) & 63;
            text.push(LETTERS[letter as usize] as char);
        }
    }
    text
}

fn assert_free_of(secrets: &[String], shown: &str, place: &str) {
    for secret in secrets {
        for form in forms(secret) {
            assert!(!shown.contains(&form), "{place} shows {form} of {secret}");
        }
    }
}

/// Logs in wrongly, rightly, changes the password, makes a token and logs in
/// with it. Returns the token.
async fn use_secrets(server: SocketAddr) -> String {
    let connect = async || {
        let config = TcpClientConfig {
            server_address: server.to_string(),
            ..TcpClientConfig::default()
        };
        let client = TcpClient::create(std::sync::Arc::new(config)).unwrap();
        Client::connect(&client).await.unwrap();
        client
    };
    let client = connect().await;
    assert!(client.login_user("iggy", WRONG).await.is_err());
    client.login_user("iggy", PASSWORD).await.unwrap();
    // The stand-in refuses both, the bytes have passed all the same.
    let user = Identifier::named("iggy").unwrap();
    let _ = client.change_password(&user, PASSWORD, WRONG).await;
    let _ = client
        .create_user("bob", WRONG, UserStatus::Active, None)
        .await;
    let token = client
        .create_personal_access_token("ci", PersonalAccessTokenExpiry::NeverExpire)
        .await
        .unwrap();
    let other = connect().await;
    other
        .login_with_personal_access_token(&token.token)
        .await
        .unwrap();
    // A poll, so that the mirror logs in as well.
    let _ = other
        .poll_messages(
            &Identifier::named("nowhere").unwrap(),
            &Identifier::named("nothing").unwrap(),
            Some(0),
            &Consumer::default(),
            &PollingStrategy::first(),
            1,
            false,
        )
        .await;
    token.token.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_no_json_and_no_log_shows_a_secret() {
    let standin = Standin::start(StandinConfig {
        password: Secret::new(PASSWORD),
        ..StandinConfig::default()
    })
    .await
    .unwrap();
    let (mut log, write_log) = std::io::pipe().unwrap();
    let recorded = scratch("recorded");
    let mut running = Running::start_with(
        &[
            "run",
            "--listen",
            "127.0.0.1:0",
            "--ui",
            "127.0.0.1:0",
            "--upstream",
            &standin.tcp.to_string(),
            "--http",
            &format!("http://{}", standin.http),
            "--record",
            recorded.to_str().unwrap(),
        ],
        |command: &mut Command| {
            command
                .env("PARALLAX_LOG", "trace")
                .stderr(Stdio::from(write_log));
        },
    );
    let log = std::thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    });
    let listening = running.line_with("listening");
    let address = listening.split_whitespace().nth(1).unwrap();
    let page = running.page();
    let token = use_secrets(address.parse().unwrap()).await;
    let secrets = [
        PASSWORD.to_owned(),
        WRONG.to_owned(),
        token,
        page.token.clone(),
    ];
    // As a browser opens it.
    let opening = format!("/exchanges?token={}", page.token);
    let opened = get(page.socket, &opening).await;
    assert!(opened.starts_with("HTTP/1.1 303"), "{opened}");
    assert_free_of(&secrets, &opened, "the way in");
    let last_is_seen = async {
        while !page
            .get("/api/v1/exchanges")
            .await
            .contains("poll_messages")
        {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, last_is_seen).await.unwrap();

    let all = page.get("/api/v1/exchanges").await;
    for command in [
        "login_user",
        "change_password",
        "create_user",
        "create_personal_access_token",
        "login_with_personal_access_token",
    ] {
        assert!(all.contains(command), "{command} was not seen");
    }
    for n in 1.. {
        let target = format!("/exchanges/{n}");
        let shown = page.get(&target).await;
        if !shown.starts_with("HTTP/1.1 200") {
            break;
        }
        assert_free_of(&secrets, &shown, &target);
        let target = format!("/api/v1/exchanges/{n}");
        assert_free_of(&secrets, &page.get(&target).await, &target);
    }
    for target in [
        "/",
        "/latency",
        "/api/v1/exchanges",
        "/api/v1/connections",
        "/api/v1/findings",
    ] {
        let shown = page.get(target).await;
        assert!(shown.starts_with("HTTP/1.1 200"), "{target}: {shown}");
        assert_free_of(&secrets, &shown, target);
    }
    running.interrupt();
    let log = log.join().unwrap();
    assert!(log.contains("TRACE"), "the log was on: {log}");
    assert_free_of(&secrets, &log, "the log");
    no_file_holds(&secrets, &recorded);
}

/// What was recorded, index and all, and what is made of it.
fn no_file_holds(secrets: &[String], recorded: &Path) {
    let mut segments = Vec::new();
    for file in fs::read_dir(recorded).unwrap() {
        let file = file.unwrap().path();
        let bytes = fs::read(&file).unwrap();
        assert_free_of_bytes(secrets, &bytes, &file.display().to_string());
        if file.extension().is_some_and(|name| name == "pcapng") {
            segments.push(file);
        }
    }
    assert!(!segments.is_empty(), "nothing was recorded");
    for segment in segments {
        let segment = segment.to_str().unwrap();
        for format in ["pcapng", "jsonl", "csv", "hdr", "parquet"] {
            for redaction in [&[][..], &["--redact", "payloads"], &["--anonymize"]] {
                let export = ["export", segment, "--format", format, "--output", "-"];
                let ran = parallax(&[&export, redaction].concat());
                assert!(
                    ran.status.success(),
                    "{}",
                    String::from_utf8_lossy(&ran.stderr)
                );
                assert!(!ran.stdout.is_empty());
                assert_free_of_bytes(secrets, &ran.stdout, format);
                if redaction == ["--anonymize"] {
                    for name in ["nowhere", "nothing"] {
                        let mut windows = ran.stdout.windows(name.len());
                        assert!(
                            !windows.any(|part| part == name.as_bytes()),
                            "{format}: {name}"
                        );
                    }
                }
            }
        }
        let ran = parallax(&["inspect", "--verbose", segment]);
        assert_free_of_bytes(secrets, &ran.stdout, "inspect");
    }
}

fn assert_free_of_bytes(secrets: &[String], bytes: &[u8], place: &str) {
    let shown: String = bytes.iter().copied().map(char::from).collect();
    assert_free_of(secrets, &shown, place);
    assert!(!shown.contains("eyJ0eXAi"), "{place} shows a JWT");
}

/// An empty folder of a test's own.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("secrets")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn inspect_shows_no_secret_of_a_recording() {
    // As they stand in the recordings' bytes: two passwords and a token.
    let secrets = [
        "correct-horse",
        "battery-staple",
        "DtwyQkr2lUXIO8K03uE620q/MGPIJz12yigsfIrNGVUNko6eapSpXc2FoytsBBmEr/QQ=",
    ]
    .map(str::to_owned);
    for name in [
        "server-0.8.0_sdk-0.10.0/admin.pcap",
        "server-0.9-edge_sdk-0.11-edge/admin.pcap",
        "http_server-0.8.0/http.pcap",
        "http_server-0.9-edge/http.pcap",
        "broken-segment_server-0.8.0/group-next-4100.pcap",
    ] {
        let path = recording(name);
        let path = path.to_str().unwrap();
        for arguments in [
            vec!["inspect", path],
            vec!["inspect", "--json", path],
            vec!["inspect", "--findings", path],
        ] {
            let output = parallax(&arguments);
            let shown = String::from_utf8(output.stdout).unwrap();
            assert_free_of(&secrets, &shown, name);
            assert!(!shown.contains("eyJ0eXAi"), "{name} shows a JWT");
        }
    }
}

#[test]
fn no_help_and_no_setting_shows_a_password_in_an_address() {
    let secrets = forms(PASSWORD);
    let address = format!("http://iggy:{PASSWORD}@127.0.0.1:1");
    let folder = scratch("addresses");
    for (key, variable) in [("http", "PARALLAX_HTTP"), ("otlp", "PARALLAX_OTLP")] {
        let file = folder.join(format!("{key}.toml"));
        fs::write(&file, format!("{key} = {address:?}\n")).unwrap();
        for verb in ["run", "config", "doctor"] {
            for last in ["--help", "-h", "--no-mirror"] {
                let mut of_environment = Command::new(program());
                of_environment.args([verb, last]).env(variable, &address);
                let mut of_file = Command::new(program());
                of_file.args([verb, "--config"]).arg(&file).arg(last);
                for mut command in [of_environment, of_file] {
                    // What would go on and serve is not asked for: it cannot listen there.
                    command.env("PARALLAX_LISTEN", "256.0.0.1:1");
                    let output = command.env_remove("PARALLAX_LOG").output().unwrap();
                    for shown in [output.stdout, output.stderr] {
                        let shown = String::from_utf8(shown).unwrap();
                        assert_free_of(&secrets, &shown, &format!("{verb} {last}, {key}"));
                    }
                }
            }
        }
    }
}
