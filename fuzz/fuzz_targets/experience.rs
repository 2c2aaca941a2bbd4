#![no_main]

#[path = "../../protocol-tests/harness/readers.rs"]
#[allow(dead_code)]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::experience_files(bytes));
