use super::Behaviour;

/// The server does all as it should: the fault is its client's.
pub(super) struct Sound;

impl Behaviour for Sound {}
