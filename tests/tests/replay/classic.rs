//! SDK 0.10.0 and the tapes of server 0.8.0.

use iggy::prelude::*;

const FOLDER: &str = "server-0.8.0_sdk-0.10.0";

include!("scenes.rs");
