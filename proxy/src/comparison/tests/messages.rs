//! Messages from both sides.

use super::*;

#[test]
fn case_c1_next_of_a_group_is_compared_by_the_contents_at_its_offsets() {
    let group = poll(Group, None, Next);
    let tcp = Answered(answer(1, 80, 50..60));
    let asked = questions(&group, &tcp, None);
    let question = &asked.polls[0];
    assert_eq!(
        (question.strategy, question.value, question.count),
        (PollingKind::Offset, 50, 10)
    );
    assert_eq!(question.partition_id, Some(1));
    assert!(asked.basis.starts_with("Contents only"));
    expect(
        &verdict(&group, &tcp, [ok(1, 80, 50..60)]),
        VerdictKind::Agree,
        &["All 10"],
    );
    // An empty answer leaves no offset to ask from.
    let reason = not_comparable(&group, &Answered(answer(1, 80, 0..0)));
    assert!(reason.contains("From which offset"), "{reason}");
}

#[test]
fn case_c7_ids_and_offsets_are_compared_exactly() {
    let mut ours = answer(0, 1 << 54, (1 << 53)..(1 << 53) + 1);
    ours.messages[0].id = u128::MAX;
    let mut theirs = ours.clone();
    let first = poll(Consumer, Some(0), First);
    let tcp = Answered(ours);
    let agree = verdict(&first, &tcp, [MirrorOutcome::Answered(theirs.clone())]);
    assert_eq!(agree.kind, VerdictKind::Agree);
    theirs.messages[0].offset += 1;
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(theirs.clone())]);
    expect(
        &seen,
        VerdictKind::Diverge,
        &["messages[0].offset", "9007199254740993"],
    );
    theirs.messages[0].offset -= 1;
    theirs.messages[0].id -= 1;
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(theirs)]);
    assert_eq!(seen.differences[0].http, (u128::MAX - 1).to_string());
}

#[test]
fn case_c8_headers_are_compared_in_any_order_and_opaque_ones_by_bytes() {
    let header = |key: &str, value: &str| UserHeader {
        key: HeaderField {
            kind: HeaderKind::STRING,
            bytes: key.as_bytes().to_vec(),
        },
        value: HeaderField {
            kind: HeaderKind::STRING,
            bytes: value.as_bytes().to_vec(),
        },
    };
    let decoded = |headers: &[UserHeader]| UserHeaders::Decoded(headers.to_vec());
    let (a, b) = (header("a", "1"), header("b", "2"));
    let opaque = |bytes: &'static [u8]| UserHeaders::Opaque(bytes.into());
    for (tcp, http, same) in [
        (decoded(&[]), decoded(&[]), true),
        (
            decoded(&[a.clone(), b.clone()]),
            decoded(&[b.clone(), a.clone()]),
            true,
        ),
        // HTTP keeps the last of two with one key.
        (
            decoded(&[header("a", "0"), a.clone()]),
            decoded(std::slice::from_ref(&a)),
            true,
        ),
        (decoded(std::slice::from_ref(&a)), decoded(&[]), false),
        (decoded(&[a]), decoded(&[header("a", "2")]), false),
        (opaque(b"\xff\x01"), opaque(b"\xff\x01"), true),
        (opaque(b"\xff\x01"), opaque(b"\xff\x02"), false),
        (opaque(b"\xff\x01"), decoded(&[b]), false),
    ] {
        let with = |headers: UserHeaders| {
            let mut answer = answer(0, 0, 0..1);
            answer.messages[0].user_headers = headers;
            answer
        };
        let seen = verdict(
            &poll(Consumer, Some(0), First),
            &Answered(with(tcp.clone())),
            [MirrorOutcome::Answered(with(http.clone()))],
        );
        assert_eq!(
            seen.kind == VerdictKind::Agree,
            same,
            "{tcp:?} {http:?}: {seen:?}"
        );
    }
}

#[test]
fn every_field_of_a_message_is_compared() {
    type Change = fn(&mut parallax_captures::poll::PolledMessage);
    let changes: [(&str, Change); 6] = [
        ("offset", |m| m.offset += 1),
        ("id", |m| m.id += 1),
        ("timestamp", |m| m.timestamp += 1),
        ("origin_timestamp", |m| m.origin_timestamp += 1),
        ("checksum", |m| m.checksum = !m.checksum),
        ("payload", |m| m.payload = "message 9".into()),
    ];
    for (field, change) in changes {
        let mut theirs = answer(0, 26, 0..10);
        change(&mut theirs.messages[3]);
        let seen = verdict(
            &poll(Consumer, Some(0), First),
            &Answered(answer(0, 26, 0..10)),
            [MirrorOutcome::Answered(theirs)],
        );
        assert_eq!(seen.kind, VerdictKind::Diverge);
        assert_eq!(seen.differences[0].field, format!("messages[3].{field}"));
    }
    let mut lying = answer(0, 26, 0..10);
    lying.count = 11;
    let seen = verdict(
        &poll(Consumer, Some(0), First),
        &Answered(answer(0, 26, 0..10)),
        [MirrorOutcome::Answered(lying)],
    );
    expect(&seen, VerdictKind::Diverge, &["count"]);
}

#[test]
fn a_verdict_lists_no_more_differences_than_its_limit() {
    let mut first = poll(Consumer, Some(0), First);
    first.count = 1_000;
    let mut theirs = answer(0, 999, 0..1_000);
    for message in &mut theirs.messages {
        message.id += 1;
    }
    let tcp = Answered(answer(0, 999, 0..1_000));
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(theirs)]);
    assert_eq!(
        seen.differences.len(),
        parallax_captures::limits::VERDICT_DIFFERENCES
    );
}

#[test]
fn a_healthy_growing_log_is_never_a_divergence() {
    let first = poll(Consumer, Some(0), First);
    for (here, end, there, later) in [
        (0..10, 26, 0..10, 40), // full both times, the end moved
        (0..3, 2, 0..10, 11),   // TCP read to the end, then more came
        (0..0, 0, 0..5, 4),     // the partition was empty
        (0..3, 2, 0..3, 2),     // nothing came
    ] {
        let tcp = Answered(answer(0, end, here));
        let seen = verdict(&first, &tcp, [ok(0, later, there)]);
        assert!(
            matches!(seen.kind, VerdictKind::Agree | VerdictKind::Stale),
            "{seen:?}"
        );
    }
    let tcp = Answered(answer(0, 2, 0..3));
    let grew = verdict(&first, &tcp, [ok(0, 11, 0..10)]);
    expect(&grew, VerdictKind::Stale, &["which grew"]);
    // Case A2, A5: fewer than there were by TCP's own word. Growth is no excuse,
    // and without asking again it is no proof either.
    let tcp = Answered(answer(0, 24, 0..0));
    let short = verdict(&first, &tcp, [ok(0, 24, 0..10)]);
    expect(&short, VerdictKind::Stale, &["does not explain it"]);
    let back = verdict(&first, &Answered(answer(0, 26, 0..10)), [ok(0, 20, 0..10)]);
    expect(&back, VerdictKind::Diverge, &["current_offset"]);
}

#[test]
fn messages_gone_since_the_poll_are_no_divergence() {
    // Retention or a purge between the two.
    for (poll, tcp, http, words) in [
        (
            poll(Group, None, Next),
            answer(1, 99, 50..60),
            answer(1, 99, 55..65),
            ["offsets 50 to 54, which TCP gave", "The 5 messages"],
        ),
        (
            poll(Consumer, Some(1), First),
            answer(1, 99, 0..10),
            answer(1, 99, 3..13),
            ["offsets 0 to 2", "The 7 messages"],
        ),
        (
            poll(Consumer, Some(1), First),
            answer(1, 99, 0..10),
            answer(1, 99, 40..50),
            ["offsets 0 to 9", "Nothing is left"],
        ),
    ] {
        let seen = verdict(
            &poll,
            &Answered(tcp.clone()),
            [MirrorOutcome::Answered(http.clone())],
        );
        expect(&seen, VerdictKind::NotComparable, &words);
        // What both have must be the same all the same.
        let mut changed = http.clone();
        changed.messages[0].payload = "changed".into();
        let seen = verdict(
            &poll,
            &Answered(tcp.clone()),
            [MirrorOutcome::Answered(changed)],
        );
        let both = tcp.messages.last().unwrap().offset >= http.messages[0].offset;
        assert_eq!(seen.kind == VerdictKind::Diverge, both, "{seen:?}");
    }
    // The other way round: what HTTP lacks in between, or has below.
    let mut holed = answer(1, 99, 0..10);
    holed.messages.remove(4);
    holed.count = 9;
    let first = poll(Consumer, Some(1), First);
    let whole = Answered(answer(1, 99, 0..10));
    let seen = verdict(&first, &whole, [MirrorOutcome::Answered(holed)]);
    expect(&seen, VerdictKind::Diverge, &["messages[4].offset"]);
    let later = Answered(answer(1, 99, 3..13));
    let seen = verdict(&first, &later, [ok(1, 99, 0..10)]);
    expect(&seen, VerdictKind::Diverge, &["message at offset 0"]);
    let seen = verdict_at(-60, false, &first, &later, [ok(1, 99, 0..10)]);
    expect(
        &seen,
        VerdictKind::NotComparable,
        &["0 to 2, which HTTP gave"],
    );
}

#[test]
fn a_log_that_was_begun_anew_between_the_two_is_not_compared() {
    let mut anew = answer(0, 2, 0..3);
    for message in &mut anew.messages {
        message.id += 9_000;
        message.timestamp += 1_000_000;
        message.payload = "new".into();
    }
    let first = poll(Consumer, Some(0), First);
    let tcp = Answered(answer(0, 4, 0..5));
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(anew.clone())]);
    expect(&seen, VerdictKind::NotComparable, &["begun anew"]);
    // One that was there before says that it is the same log.
    anew.messages[2] = message(2);
    let seen = verdict(&first, &tcp, [MirrorOutcome::Answered(anew)]);
    expect(&seen, VerdictKind::Diverge, &["messages[0].id"]);
}
