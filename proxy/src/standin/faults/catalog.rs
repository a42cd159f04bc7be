use super::Behaviour;
use super::false_first_offset::FalseFirstOffset;

/// A fault, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A partition's first message claims another offset than its own.
    FalseFirstOffset,
}

/// A fault, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedFault {
    /// The fault.
    pub fault: Fault,
    /// The stream's name.
    pub stream: String,
    /// The topic's name.
    pub topic: String,
    /// The partition.
    pub partition_id: u32,
}

impl PlacedFault {
    /// What a server with this fault does.
    pub(in crate::standin) fn behaviour(&self) -> Box<dyn Behaviour> {
        match self.fault {
            Fault::FalseFirstOffset => Box::new(FalseFirstOffset(self.clone())),
        }
    }
}
