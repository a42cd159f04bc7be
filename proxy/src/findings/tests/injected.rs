//! What parallax injected is held against nobody.

use parallax_captures::{Alteration, Exchange};
use parallax_codec::primitives::ConsumerKind::Group;
use parallax_codec::primitives::PollingKind::Next;

use super::{NONE, codes};
use crate::findings::Findings;
use crate::findings::sample::{exchange, poll};

fn refused(n: u64, altered: Option<Alteration>) -> Exchange {
    let second = i64::try_from(n).unwrap() * 10;
    let request = poll(Group, None, Next);
    Exchange {
        altered: altered.map(Box::new),
        ..exchange(n, second, request, 4100)
    }
}

#[test]
fn an_injected_error_raises_nothing_however_often_it_comes() {
    let mut findings = Findings::new();
    for n in 1..=10 {
        let injected = Alteration {
            injected: Some("poll_messages error=invalid_offset".to_owned()),
            answered_otherwise: true,
            ..Alteration::default()
        };
        let drawn = findings.on_exchange(&refused(n, Some(injected)));
        assert_eq!(codes(&drawn), NONE);
        assert!(drawn.is_empty());
    }
    assert!(findings.finish().is_empty());
}

#[test]
fn the_servers_own_error_that_was_only_held_back_is_the_servers() {
    let mut findings = Findings::new();
    for n in 1..=3 {
        let late = Alteration {
            injected: Some("poll_messages delay=500ms".to_owned()),
            ..Alteration::default()
        };
        findings.on_exchange(&refused(n, Some(late)));
    }
    let drawn = findings.on_exchange(&refused(4, None));
    assert_eq!(codes(&drawn), [103, 501]);
}
