//! Finding a place in a journal by time.

use jiff::Timestamp;

use super::Journal;

impl Journal {
    /// The number of an exchange that began at about this time: of those before it most
    /// began earlier. Exchanges are numbered as they end, so that a few may be out of
    /// their order.
    pub fn number_at(&self, time: Timestamp) -> u64 {
        let state = self.lock();
        let newest = state.totals.exchanges;
        let memory = state.first_kept();
        let (mut low, mut high) = if state.archived.exchanges > 0 {
            (state.archive_first.max(1), newest + 1)
        } else {
            (memory, newest + 1)
        };
        drop(state);
        while low < high {
            let middle = low + (high - low) / 2;
            // What is not kept between others is taken for older: a recording may lack a few.
            let is_older = self
                .exchange(middle)
                .is_none_or(|exchange| exchange.times.request_first < time);
            if is_older {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
