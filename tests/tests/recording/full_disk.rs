//! A disk that is really full.

use std::process::Command;
use std::time::Duration;

use parallax_captures::recording::{RecordOptions, RecordingState, view};
use parallax_captures::{Journal, TroubleKind, troubles};
use parallax_proxy::live::{Proxy, ProxyConfig};
use parallax_tests::Server;
use tokio::time::{sleep, timeout};

use crate::Directory;
use crate::asker::Asker;

const PATIENCE: Duration = Duration::from_mins(1);

/// A small file system in memory, unmounted at the end.
struct Mounted(Directory);

impl Mounted {
    /// `None` where this user may not mount.
    fn new(size: &str) -> Option<Self> {
        let directory = Directory::new("full");
        let done = mount(
            &[
                "-t",
                "tmpfs",
                "-o",
                &format!("size={size},mode=700"),
                "parallax-test",
            ],
            &directory,
        );
        done.then_some(Self(directory))
    }

    fn grow(&self, size: &str) {
        assert!(mount(&["-o", &format!("remount,size={size}")], &self.0));
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

fn mount(arguments: &[&str], directory: &Directory) -> bool {
    let ran = Command::new("mount")
        .args(arguments)
        .arg(directory.path())
        .output();
    ran.is_ok_and(|ran| ran.status.success())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_said_and_clients_go_on_and_so_does_the_recording_once_there_is_room() {
    let Some(disk) = Mounted::new("1m") else {
        let message = "skipped: a full disk needs the right to mount one";
        assert!(std::env::var_os("CI").is_none(), "{message}");
        eprintln!("{message}");
        return;
    };
    let server = Server::start().await;
    let path = disk.0.path();
    let proxy = Proxy::start(ProxyConfig {
        record: Some(RecordOptions {
            segment_bytes: 256 * 1024,
            ..RecordOptions::into_directory(path)
        }),
        ..ProxyConfig::before(server.tcp)
    })
    .await
    .unwrap();
    let asker = Asker::start(proxy.listen(), "full");
    let journal = proxy.journal();
    until(journal, |state| {
        matches!(state, RecordingState::Failing { .. })
    })
    .await;
    let failing = journal.recording().unwrap();
    let RecordingState::Failing { reason, .. } = &failing.state else {
        panic!("{failing:?}");
    };
    assert!(
        reason.contains("full") || reason.contains("No space"),
        "{reason}"
    );
    let told = troubles(journal);
    let told = told.iter().find(|one| one.kind == TroubleKind::Recording);
    assert!(
        told.is_some_and(|one| one.sentence.contains(reason)),
        "{told:?}"
    );
    // Clients go on.
    let seen = journal.totals().exchanges;
    timeout(PATIENCE, async {
        while journal.totals().exchanges < seen + 200 {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
    disk.grow("64m");
    until(journal, |state| *state == RecordingState::Ok).await;
    assert_eq!(troubles(journal), [], "it is over");
    let answered = asker.answered();
    proxy.shutdown().signal();
    let journal = std::sync::Arc::clone(proxy.journal());
    proxy.finished().await;
    // Memory had kept what the disk did not take.
    let status = journal.recording().unwrap();
    assert_eq!((status.not_kept, status.changes_not_kept), (0, 0));
    let view = view(path).unwrap();
    assert_eq!(view.notes(), [""; 0]);
    assert!(view.journal().counts().exchanges >= answered.len() as u64);
    assert_eq!(view.journal().counts(), journal.counts());
}

async fn until(journal: &Journal, wanted: impl Fn(&RecordingState) -> bool) {
    timeout(PATIENCE, async {
        while !wanted(&journal.recording().unwrap().state) {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
}
