use super::*;

/// Where a latency is: label, command, side, and when its slice begins, in microseconds.
type Place = (String, &'static str, Side, i64);

/// The same, kept as plainly as can be: a histogram for each.
type Plain = BTreeMap<Place, Histogram<u64>>;

fn plainly(moments: &[Moment], dimension: Dimension, width: i64) -> Plain {
    let mut plain = Plain::new();
    for (micros, took, what) in moments {
        let begin = at(*micros).as_microsecond().div_euclid(width) * width;
        let sample = sample(*micros, *what);
        let label = match dimension {
            Dimension::Command => Label::All,
            Dimension::Strategy => Label::Strategy(sample.strategy.unwrap()),
            Dimension::Stream => Label::Stream(stream(*what)),
            Dimension::Connection => Label::Connection(sample.conn.unwrap()),
        };
        let side = Side::ALL[usize::from(what / 128)];
        let place = (format!("{label:?}"), command(*what), side, begin);
        let histogram = plain.entry(place).or_insert_with(empty);
        histogram.record(*took).unwrap();
    }
    plain
}

fn empty() -> Histogram<u64> {
    Histogram::new_with_bounds(1, LATENCY_MAX_US, 2).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn each_slice_of_each_series_is_the_histogram_of_what_was_in_it(moments in moments()) {
        let latencies = recorded(&moments);
        for dimension in Dimension::ALL {
            let timeline = latencies.by(dimension);
            let width = i64::try_from(timeline.slice_width().as_micros()).unwrap();
            let mut found = Plain::new();
            for series in &timeline.series {
                let label = format!("{:?}", series.label);
                let command = command(u8::from(series.command == "ping"));
                for (slice, _) in series.slices(&timeline.slices()) {
                    let histogram = series.histogram(&(*slice..slice + 1)).unwrap();
                    let begin = timeline.begin_of(*slice).as_microsecond();
                    found.insert((label.clone(), command, series.side, begin), histogram);
                }
            }
            prop_assert_eq!(found, plainly(&moments, dimension, width), "{}", dimension.name());
        }
    }
}
