//! The losses of a training, from its beginning on.

use crate::tune::state::{StateReader, StateWriter};

/// Losses at a moment of a training, as mean cross entropies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossRecord {
    /// Steps of the weights before it.
    pub step: usize,
    /// Epochs before it, with the part of the present one.
    pub epoch: f32,
    /// Of the samples learned from since the record before, each as it was met.
    pub training: Option<f32>,
    /// On games held out, all rules together; told at the end of an epoch only.
    pub held_out: Option<f32>,
}

/// All records of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct LossHistory {
    /// In order.
    pub records: Vec<LossRecord>,
}

impl LossHistory {
    /// Takes the records down.
    pub(super) fn write(&self, state: &mut StateWriter) {
        state.number(self.records.len() as u64);
        for &LossRecord { step, epoch, training, held_out } in &self.records {
            state.number(step as u64);
            [Some(epoch), training, held_out].into_iter().for_each(|float| state.float(float));
        }
    }

    /// Replaces the records by those that were taken down.
    pub(super) fn read(&mut self, state: &mut StateReader) -> Option<()> {
        self.records.clear();
        for _ in 0..state.number()? {
            let step = usize::try_from(state.number()?).ok()?;
            let (epoch, training, held_out) = (state.float()??, state.float()?, state.float()?);
            self.records.push(LossRecord { step, epoch, training, held_out });
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> LossHistory {
        let record = |step, epoch, training, held_out| LossRecord { step, epoch, training, held_out };
        let records = vec![
            record(0, 0.0, None, Some(0.7)),
            record(5, 0.5, Some(0.65), None),
            record(10, 1.0, Some(0.6), Some(0.62)),
            record(20, 2.0, Some(f32::NAN), Some(0.61)),
        ];
        LossHistory { records }
    }

    #[test]
    fn records_are_taken_down_and_come_back() {
        let mut state = StateWriter::default();
        history().write(&mut state);
        let state = state.finish();
        let mut again = LossHistory { records: Vec::new() };
        let mut reader = StateReader(&state);
        again.read(&mut reader).unwrap();
        assert!(reader.finish().is_some());
        assert_eq!(format!("{again:?}"), format!("{:?}", history()), "what is no number is not even itself");
        assert!(again.read(&mut StateReader(&state[..state.len() - 1])).is_none());
    }
}
