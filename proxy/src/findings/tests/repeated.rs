use parallax_codec::Request;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Next};

use super::{NONE, codes, told};
use crate::findings::Findings;
use crate::findings::sample::{exchange, poll, store};
use crate::limits::{FAILURES_THAT_REPEAT, REPEATED_REQUESTS, SUCCESSES_THAT_CLEAR};

#[test]
fn px501_every_third_poll_of_a_group_fails_for_ever() {
    let mut findings = Findings::new();
    let request = poll(Group, None, Next);
    let drawn = run(&mut findings, &[0, 0, 4100, 0, 0, 4100, 0, 0], &request);
    assert!(
        drawn.iter().flatten().all(|code| *code == 103),
        "twice is not yet repeated"
    );
    let third = findings.on_exchange(&exchange(9, 90, request.clone(), 4100));
    assert_eq!(codes(&third), [103, 501]);
    let finding = third.iter().find(|finding| finding.code.0 == 501).unwrap();
    assert_eq!(
        (finding.exchanges.as_slice(), finding.count),
        (&[3, 6, 9][..], 3)
    );
    let text = told(&third, 501);
    // Failures at 30, 60 and 90 seconds: two intervals in a minute.
    for word in [
        "3 times since 00:00:30.000 UTC",
        "2.0 a minute",
        "3 of 7 such requests",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
    let success = findings.on_exchange(&exchange(10, 100, request.clone(), 0));
    assert_eq!(codes(&success), NONE, "never raised on success");
    let fourth = findings.on_exchange(&exchange(11, 110, request, 4100));
    assert_eq!(codes(&fourth), [103, 501]);
    assert_eq!(fourth.last().unwrap().count, 1, "the journal adds up");
}

#[test]
fn px501_takes_the_same_request_and_the_same_error() {
    let mut findings = Findings::new();
    run(
        &mut findings,
        &[4009, 4009, 40, 40],
        &poll(Group, None, Next),
    );
    for other in [
        poll(Group, Some(1), Next),
        poll(Group, None, First),
        poll(Consumer, None, Next),
    ] {
        assert!(codes(&findings.on_exchange(&exchange(9, 90, other, 4009))).is_empty());
    }
    for offset in 0..5 {
        let drawn = codes(&findings.on_exchange(&exchange(offset, 0, store(offset), 4100)));
        assert_eq!(drawn, [103], "another offset is another request");
    }
    assert_eq!(run(&mut findings, &[40], &Request::Ping).concat(), NONE);
}

#[test]
fn px501_ends_with_a_success_of_one_who_reads_one_partition() {
    for request in [
        poll(Consumer, None, Next),
        poll(Group, Some(1), Next),
        Request::Ping,
    ] {
        let drawn = run(&mut Findings::new(), &[40, 40, 0, 40, 40, 0, 40], &request);
        assert_eq!(drawn.concat(), NONE);
        let drawn = run(&mut Findings::new(), &[40, 40, 40], &request);
        assert_eq!(drawn.concat(), [501]);
    }
}

#[test]
fn px501_ends_for_a_group_after_many_successes_in_a_row() {
    let mut findings = Findings::new();
    let request = poll(Group, None, Next);
    run(&mut findings, &[40, 40, 40], &request);
    let enough = usize::try_from(SUCCESSES_THAT_CLEAR).unwrap();
    run(&mut findings, &vec![0; enough], &request);
    assert_eq!(run(&mut findings, &[40, 40], &request).concat(), NONE);
}

#[test]
fn px501_remembers_no_more_requests_than_its_limit() {
    let mut findings = Findings::new();
    let most = u64::try_from(REPEATED_REQUESTS).unwrap();
    for n in 0..most + 10 {
        findings.on_exchange(&exchange(n, 0, store(n), 4100));
    }
    assert_eq!(findings.forgotten(), 10);
    // The latest is still known: two more make three.
    let latest = || exchange(1, 0, store(most + 9), 4100);
    findings.on_exchange(&latest());
    assert_eq!(FAILURES_THAT_REPEAT, 3);
    assert_eq!(codes(&findings.on_exchange(&latest())), [103, 501]);
}

fn run(findings: &mut Findings, statuses: &[u32], request: &Request) -> Vec<Vec<u16>> {
    let mut drawn = Vec::new();
    for (n, status) in (1_u64..).zip(statuses) {
        let second = i64::try_from(n).unwrap() * 10;
        drawn.push(codes(&findings.on_exchange(&exchange(
            n,
            second,
            request.clone(),
            *status,
        ))));
    }
    drawn
}
