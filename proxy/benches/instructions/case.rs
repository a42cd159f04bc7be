//! Something that is counted.

use parallax_codec::Dialect;

/// A name, and what makes it ready.
pub(crate) struct Case {
    pub(crate) name: String,
    prepare: Box<dyn Fn() -> Prepared>,
}

/// What is ready to be counted. It runs twice and the second time counts, so that what is
/// done once in a process is not in the figure.
pub(crate) struct Prepared {
    /// Things done in one run; the figure is of one of them.
    pub(crate) items: u64,
    pub(crate) run: Box<dyn FnMut()>,
}

impl Case {
    pub(crate) fn new(name: impl Into<String>, prepare: impl Fn() -> Prepared + 'static) -> Self {
        Self {
            name: name.into(),
            prepare: Box::new(prepare),
        }
    }

    /// The same in either dialect.
    pub(crate) fn in_both(name: &str, prepare: fn(Dialect) -> Prepared) -> [Self; 2] {
        let of = |dialect, called| Self::new(format!("{name}, {called}"), move || prepare(dialect));
        [of(Dialect::Classic, "classic"), of(Dialect::Vsr, "vsr")]
    }

    pub(crate) fn prepare(&self) -> Prepared {
        (self.prepare)()
    }
}

impl Prepared {
    pub(crate) fn new(items: u64, run: impl FnMut() + 'static) -> Self {
        Self {
            items,
            run: Box::new(run),
        }
    }
}
