//! From a pair of frames to what they hold: decoded and masked. The same for bytes
//! that pass, and for those that are read back from a file.

mod frame;
mod half;
mod kept;
mod pair;

pub use self::frame::AnyFrame;
pub use self::kept::kept;
pub use self::pair::{Decoded, command_of, decode, unsolicited};
