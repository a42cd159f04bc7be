#![no_main]

#[path = "../../tests/fuzzed/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::inspect(input));
