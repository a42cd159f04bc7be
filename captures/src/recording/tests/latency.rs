use super::*;
use crate::limits::LATENCY_CONNECTION_SERIES;
use crate::recording::view;

/// Polls of more connections than latencies are kept of, over hours, so that slices get
/// wider from one go to the next and connections are forgotten.
fn record_for_hours(store: &mut Store) -> Value {
    let journal = Arc::clone(&store.journal);
    let more = LATENCY_CONNECTION_SERIES as u64 + 40;
    for hour in 0..3 {
        for number in 0..more / 2 {
            let late = SignedDuration::from_secs(3_600 * hour + i64::try_from(number).unwrap());
            let mut exchange = poll(number);
            // The first comes again each time.
            let fresh = u64::try_from(hour).unwrap() * more / 2;
            exchange.conn = ConnectionId(1 + number + if number == 0 { 0 } else { fresh });
            exchange.times.request_first += late;
            exchange.times.request_last += late;
            let (first, last) = exchange.times.reply.unwrap();
            exchange.times.reply = Some((first + late, last + late));
            let n = journal.record(exchange);
            if number.is_multiple_of(3) {
                journal.set_verdict(n, verdict(VerdictKind::Agree));
            }
        }
        record_all(store);
    }
    shown(&journal)
}

#[test]
fn latencies_over_time_are_read_back_as_they_were() {
    let directory = directory();
    let mut store = recorder(directory.path());
    let live = record_for_hours(&mut store);
    let by_connection = store.journal.latencies_by(Dimension::Connection);
    assert!(by_connection.unrecorded > 0, "some are forgotten");
    assert!(by_connection.slice_width().as_secs() > 60);
    store.finish();
    assert_same(&shown(view(directory.path()).unwrap().journal()), &live);
}

#[test]
fn a_recording_that_goes_on_adds_to_the_latencies_that_it_has() {
    let directory = directory();
    let mut store = recorder(directory.path());
    traffic(&store.journal, 0..40);
    record_all(&mut store);
    store.finish();
    let mut store = recorder(directory.path());
    traffic(&store.journal, 40..80);
    record_all(&mut store);
    let live = shown(&store.journal);
    store.finish();
    assert_same(&shown(view(directory.path()).unwrap().journal()), &live);
    let journal = Journal::new();
    traffic(&journal, 0..80);
    let whole = shown(&journal);
    assert_eq!(live["latencies"], whole["latencies"]);
    assert_eq!(live["latencies over time"], whole["latencies over time"]);
}
