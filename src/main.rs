//! The binary: passes its arguments to [`kagetsu::cli::run`] and returns the result as exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    if is_too_old() {
        eprintln!(
            "This build of Kagetsu is for processors with AVX2 (Intel Core since 2013, AMD since 2015), and this one \
             has not got it. Take the package called baseline; docs/building.md says how to build one."
        );
        return ExitCode::FAILURE;
    }
    kagetsu::cli::run(std::env::args_os())
}

/// Whether the processor lacks instructions that the compiler was allowed to use. Checked before anything else, because
/// any later code may use one of them and crash without a message.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
fn is_too_old() -> bool {
    let processor = raw_cpuid::CpuId::new();
    let has_vectors =
        processor.get_extended_feature_info().is_some_and(|has| has.has_avx2() && has.has_bmi2());
    let has_fma = processor.get_feature_info().is_some_and(|has| has.has_avx() && has.has_fma());
    !(has_vectors && has_fma)
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
fn is_too_old() -> bool {
    false
}
