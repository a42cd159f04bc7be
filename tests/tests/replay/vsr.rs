//! SDK 0.11.0 and the tapes of server 0.9.0-edge.5.

use iggy_11::prelude::*;

const FOLDER: &str = "server-0.9-edge_sdk-0.11-edge";

include!("scenes.rs");
