//! What a direction's pump is to do, in order.

use std::time::Duration;

use bytes::Bytes;

use super::Note;

/// One thing to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Pass these bytes on; at least one.
    Write(Bytes),
    /// Wait so long.
    Wait(Duration),
    /// Tell the tap.
    Tell(Note),
    /// Close both connections.
    Cut,
}

/// Steps in the making. Pieces of one chunk that follow each other are one write.
#[derive(Debug)]
pub(super) struct Steps {
    chunk: Bytes,
    steps: Vec<Step>,
}

impl Steps {
    /// None yet; most of what is written will be pieces of `chunk`.
    pub(super) fn of(chunk: Bytes) -> Self {
        Self {
            chunk,
            steps: Vec::new(),
        }
    }

    pub(super) fn write(&mut self, bytes: Bytes) {
        if bytes.is_empty() {
            return;
        }
        if let Some(Step::Write(before)) = self.steps.last_mut()
            && let (Some(start), Some(next)) =
                (place(&self.chunk, before), place(&self.chunk, &bytes))
            && start + before.len() == next
        {
            *before = self.chunk.slice(start..next + bytes.len());
            return;
        }
        self.steps.push(Step::Write(bytes));
    }

    pub(super) fn wait(&mut self, period: Duration) {
        if !period.is_zero() {
            self.steps.push(Step::Wait(period));
        }
    }

    pub(super) fn tell(&mut self, note: Note) {
        self.steps.push(Step::Tell(note));
    }

    pub(super) fn cut(&mut self) {
        self.steps.push(Step::Cut);
    }

    pub(super) fn done(self) -> Vec<Step> {
        self.steps
    }
}

/// Where in `chunk` the memory of `piece` begins, if it is a piece of it.
fn place(chunk: &Bytes, piece: &Bytes) -> Option<usize> {
    let start = (piece.as_ptr() as usize).checked_sub(chunk.as_ptr() as usize)?;
    (start + piece.len() <= chunk.len()).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_a_chunk_are_one_write() {
        let chunk = Bytes::from(vec![1, 2, 3, 4, 5]);
        let mut steps = Steps::of(chunk.clone());
        steps.write(Bytes::from(vec![0]));
        steps.write(chunk.slice(0..2));
        steps.write(Bytes::new());
        steps.write(chunk.slice(2..4));
        steps.wait(Duration::from_secs(1));
        steps.write(chunk.slice(4..5));
        let write = |bytes: &[u8]| Step::Write(Bytes::copy_from_slice(bytes));
        assert_eq!(
            steps.done(),
            [
                write(&[0]),
                write(&[1, 2, 3, 4]),
                Step::Wait(Duration::from_secs(1)),
                write(&[5])
            ]
        );
    }
}
