use parallax_codec::primitives::ConsumerKind::Consumer;
use parallax_codec::primitives::PollingKind::Offset;

use super::*;

fn reader() -> Story {
    let mut story = Story::of(Consumer);
    story.auto_commit = false;
    story
}

#[test]
fn px311_a_client_commits_the_first_of_each_ten_messages() {
    let mut story = reader();
    for first in 0..3 {
        story.next(first..first + 10).store(first, 0);
    }
    assert_eq!(codes(story.findings()), NONE, "two batches");
    story.next(3..13);
    assert_eq!(codes(story.findings()), [311]);
    let text = told(story.findings(), 311);
    for word in [
        "delivered 10 messages, offsets 2 to 11",
        "went on at 3",
        "3 batches in a row",
        "the first message has no user headers, the second one has no user headers",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn px311_tells_of_user_headers_that_may_be_the_trigger() {
    let mut story = reader();
    for first in 0..4 {
        let request = story.poll_request(Offset, first);
        let exchange = story.exchange(request, 0);
        let exchange = answered(exchange, &answer(2, 30, first..first + 10));
        story.see(with_headers(exchange, &[0, 2]));
    }
    assert_eq!(codes(story.findings()), [311]);
    let text = told(story.findings(), 311);
    assert!(
        text.contains("the first message has user headers, the second one has no"),
        "{text}"
    );
}

#[test]
fn who_takes_all_of_a_batch_is_not_behind() {
    // Commits each message.
    let mut each = reader();
    for batch in 0..5 {
        let first = batch * 3;
        each.next(first..first + 3);
        for offset in first..first + 3 {
            each.store(offset, 0);
        }
    }
    // Commits the last one.
    let mut last = reader();
    for batch in 0..5 {
        last.next(batch * 3..batch * 3 + 3).store(batch * 3 + 2, 0);
    }
    // Gets one at a time.
    let mut single = reader();
    for first in 0..5 {
        single.next(first..first + 1).store(first, 0);
    }
    // Does not commit, and reads the same again.
    let mut none = reader();
    for _ in 0..5 {
        none.next(0..10);
    }
    assert_eq!(codes(none.findings()), NONE);
    // Its commits go at their own pace: the first of one batch, the last of the next.
    let mut interval = reader();
    interval.next(0..10).store(0, 0).next(1..11).store(10, 0);
    interval.next(11..21).store(11, 0).next(12..22).store(21, 0);
    interval.next(22..32);
    // The server commits.
    let mut auto = reader();
    auto.auto_commit = true;
    for first in 0..5 {
        auto.poll(Offset, first, first..first + 10);
    }
    for story in [
        &mut each,
        &mut last,
        &mut single,
        &mut none,
        &mut interval,
        &mut auto,
    ] {
        assert!(!codes(story.findings()).contains(&311));
    }
}
