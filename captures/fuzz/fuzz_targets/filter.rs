#![no_main]

#[path = "../../tests/filter/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::filter(text));
