//! `parallax ca`: what it makes can be used, is for its owner alone, and is not overwritten.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use parallax_proxy::tls::authority::AuthorityFiles;
use parallax_proxy::tls::{DownstreamTls, Tls};
use parallax_tests::{Folder, parallax, provider};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use crate::support::{connect, echo, proxy};

fn ca(directory: &Path, more: &[&str]) -> (Option<i32>, String) {
    let directory = directory.to_str().unwrap();
    let told = parallax(&[&["ca", "--directory", directory], more].concat());
    let text = [told.stdout, told.stderr].concat();
    (told.status.code(), String::from_utf8(text).unwrap())
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_knows_the_authority_takes_parallax_by_each_of_its_names() {
    let folder = Folder::new("tls-ca");
    let directory = folder.file("made");
    let (status, told) = ca(
        &directory,
        &["--name", "parallax.example", "--name", "10.0.0.7"],
    );
    assert_eq!(status, Some(0), "{told}");
    for part in ["tls_ca_file", "parallax.example", "--tls-ca", "until 20"] {
        assert!(told.contains(part), "{part} is not in: {told}");
    }
    let files = AuthorityFiles::of(&directory);
    let trusted = CertificateDer::from_pem_file(&files.authority).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(trusted).unwrap();
    let config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let tls = Tls {
        downstream: Some(DownstreamTls::load(files.served).unwrap().into()),
        ..Tls::default()
    };
    let proxy = proxy(echo().await, tls).await;
    for name in [
        "localhost",
        "127.0.0.1",
        "::1",
        "parallax.example",
        "10.0.0.7",
    ] {
        let connected = connect(proxy.listen(), name, config.clone()).await;
        assert!(connected.is_ok(), "{name}: {connected:?}");
    }
    let other = connect(proxy.listen(), "other.example", config).await;
    assert!(other.is_err());
}

#[test]
fn its_files_are_for_their_owner_alone_and_are_replaced_only_when_asked_to() {
    let folder = Folder::new("tls-ca-files");
    let directory = folder.file("made");
    assert_eq!(ca(&directory, &[]).0, Some(0));
    assert_eq!(mode(&directory), 0o700);
    let read = || {
        ["ca.pem", "ca.key", "server.pem", "server.key"].map(|name| {
            let path = directory.join(name);
            assert_eq!(mode(&path), 0o600, "{name}");
            std::fs::read_to_string(path).unwrap()
        })
    };
    let first = read();

    let (status, told) = ca(&directory, &[]);
    assert_eq!(status, Some(2));
    assert!(told.contains("--renew"), "{told}");
    assert_eq!(read(), first);

    let (status, told) = ca(&directory, &["--renew"]);
    assert_eq!(status, Some(0), "{told}");
    let renewed = read();
    assert_eq!(renewed[..2], first[..2], "the authority stays");
    assert!(renewed[2] != first[2] && renewed[3] != first[3]);
    // No key is ever told.
    let is_key = |line: &&str| line.len() > 40;
    let mut keys = first[1].lines().chain(first[3].lines()).filter(is_key);
    assert!(!keys.any(|line| told.contains(line)));

    let (status, told) = ca(&folder.file("nowhere"), &["--renew"]);
    assert_eq!(status, Some(2));
    assert!(told.contains("there is no authority"), "{told}");
}

#[test]
fn flags_that_lack_another_or_files_that_are_not_what_they_are_given_as_are_told() {
    let folder = Folder::new("tls-flags");
    assert_eq!(ca(&folder.file("made"), &[]).0, Some(0));
    let file = |name: &str| folder.file(name).to_str().unwrap().to_owned();
    let (certificate, key) = (file("made/server.pem"), file("made/server.key"));
    let (authority_key, nonsense) = (file("made/ca.key"), file("nonsense"));
    folder.write("nonsense", "this is no certificate");
    folder.write("long", &"-".repeat(1024 * 1024 + 1));
    let long = file("long");
    let cases: [(&[&str], &str); 9] = [
        (
            &["--upstream-tls", "--upstream-ca", &long],
            "longer than 1048576 bytes",
        ),
        (&["--upstream-ca", &certificate], "--upstream-tls"),
        (&["--upstream-insecure"], "--upstream-tls"),
        (&["--tls-certificate", &certificate], "--tls-key"),
        (&["--tls-client-ca", &certificate], "--tls-certificate"),
        (&["--tls-ca", &file("nowhere")], "parallax ca"),
        (
            &["--upstream-tls", "--upstream-ca", &nonsense],
            "holds no certificate",
        ),
        (
            &[
                "--tls-certificate",
                &certificate,
                "--tls-key",
                &authority_key,
            ],
            "cannot be used",
        ),
        (
            &["--tls-certificate", &key, "--tls-key", &key],
            "holds no certificate",
        ),
    ];
    for (flags, named) in cases {
        let told = parallax(&[&["run", "--listen", "127.0.0.1:0"], flags].concat());
        let text = String::from_utf8(told.stderr).unwrap();
        assert_eq!(told.status.code(), Some(2), "{flags:?}: {text}");
        assert!(text.contains(named), "{named} is not in: {text}");
        assert!(!text.contains("PRIVATE"), "{text}");
    }
}
