//! Figures rounded to as many digits as a reader can use, because a page has thousands of them.

/// The mean; `None` if there are no values.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Rounded to one decimal place.
pub(super) fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Rounded to two decimal places.
pub(super) fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Milliseconds rounded to as many digits as matter.
pub(super) fn short(ms: f64) -> f64 {
    match ms {
        0.0..1.0 => hundredths(ms),
        1.0..100.0 => tenths(ms),
        _ => ms.round(),
    }
}
