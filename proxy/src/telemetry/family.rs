//! Figures as they are at one moment.

use std::borrow::Cow;

use super::histogram::Histogram;
use super::metrics::Metric;

/// A metric and its values.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) metric: &'static Metric,
    pub(crate) samples: Vec<Sample>,
}

/// One value.
#[derive(Debug)]
pub(crate) struct Sample {
    /// In the order of the metric's labels.
    pub(crate) labels: Vec<Cow<'static, str>>,
    pub(crate) value: Value,
}

#[derive(Debug)]
pub(crate) enum Value {
    Whole(u64),
    Real(f64),
    Histogram(Histogram),
}

impl Family {
    pub(crate) const fn new(metric: &'static Metric) -> Self {
        Self {
            metric,
            samples: Vec::new(),
        }
    }

    /// Of a metric without labels.
    pub(crate) fn of(metric: &'static Metric, value: impl Into<Value>) -> Self {
        Self::new(metric).with([], value)
    }

    /// The same, and one value more.
    pub(crate) fn with<const N: usize>(
        mut self,
        labels: [&'static str; N],
        value: impl Into<Value>,
    ) -> Self {
        self.push(labels.map(Cow::Borrowed), value);
        self
    }

    pub(crate) fn push<const N: usize>(
        &mut self,
        labels: [Cow<'static, str>; N],
        value: impl Into<Value>,
    ) {
        debug_assert_eq!(labels.len(), self.metric.labels.len());
        self.samples.push(Sample {
            labels: labels.into(),
            value: value.into(),
        });
    }

    /// 1 for the state that holds and 0 for the others.
    pub(crate) fn states(metric: &'static Metric, all: &[&'static str], holds: &str) -> Self {
        let mut family = Self::new(metric);
        for state in all {
            family.push([Cow::Borrowed(*state)], u64::from(*state == holds));
        }
        family
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Whole(value)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Whole(value as u64)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<Histogram> for Value {
    fn from(value: Histogram) -> Self {
        Self::Histogram(value)
    }
}
