//! Figures with as many digits as a reader can use: a page has thousands of them.

/// The mean; `None` of nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// With one digit after the point.
pub(super) fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// With two digits after the point.
pub(super) fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Milliseconds with as many digits as matter.
pub(super) fn short(ms: f64) -> f64 {
    match ms {
        0.0..1.0 => hundredths(ms),
        1.0..100.0 => tenths(ms),
        _ => ms.round(),
    }
}
