//! The losses of a training run, from its beginning.

use std::fmt::Write;

use super::loss_plot::{Curve, plot};
use crate::tune::state::{StateReader, StateWriter};

/// The losses at one point of a training run, as mean cross entropies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossRecord {
    /// The number of steps before it.
    pub step: usize,
    /// The number of epochs before it, including the finished part of the current one.
    pub epoch: f32,
    /// On the samples used since the previous record, each before the step that it was used for.
    pub training: Option<f32>,
    /// On held-out games, all rules together; measured only before the first step and at the end of each epoch, and
    /// `None` if no game is held out.
    pub held_out: Option<f32>,
}

impl LossRecord {
    /// Whether it is the last one of an epoch.
    #[must_use]
    pub fn ends_epoch(&self) -> bool {
        self.step > 0 && self.epoch.fract() == 0.0
    }
}

/// All records of a training run.
#[derive(Clone, Debug, PartialEq)]
pub struct LossHistory {
    /// The epoch from which only the layers are trained.
    pub layers_from: usize,
    /// Loss of the hand-crafted evaluation alone on held-out games, if there are any.
    pub hand_crafted: Option<f32>,
    /// In order.
    pub records: Vec<LossRecord>,
}

impl LossHistory {
    /// The records as CSV: a header line, then a line for each record. What was not measured is empty.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut csv = "step,epoch,training_loss,held_out_loss\n".to_owned();
        let cell = |loss: Option<f32>| loss.map_or_else(String::new, |loss| format!("{loss:.6}"));
        for &LossRecord { step, epoch, training, held_out } in &self.records {
            let _ = writeln!(csv, "{step},{epoch:.4},{},{}", cell(training), cell(held_out));
        }
        csv
    }

    /// A plot of the losses by epoch, with the loss of the hand-crafted evaluation for comparison.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let points = |loss: fn(&LossRecord) -> Option<f32>| {
            self.records.iter().filter_map(|record| Some((record.epoch, loss(record)?))).collect()
        };
        let held_out = Curve { name: "held-out games", points: points(|record| record.held_out) };
        let training = Curve { name: "training", points: points(|record| record.training) };
        let level = self.hand_crafted.map(|loss| ("hand-crafted evaluation", loss));
        plot([training, held_out], level, self.layers_from as f32)
    }

    /// Serialises the records.
    pub(super) fn write(&self, state: &mut StateWriter) {
        state.number(self.records.len() as u64);
        for &LossRecord { step, epoch, training, held_out } in &self.records {
            state.number(step as u64);
            [Some(epoch), training, held_out].into_iter().for_each(|float| state.float(float));
        }
    }

    /// Replaces the records by those that were serialised.
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
        LossHistory { layers_from: 1, hand_crafted: Some(0.64), records }
    }

    #[test]
    fn a_table_says_what_was_measured() {
        let csv = history().to_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "step,epoch,training_loss,held_out_loss");
        assert_eq!(lines[1..4], ["0,0.0000,,0.700000", "5,0.5000,0.650000,", "10,1.0000,0.600000,0.620000"]);
    }

    #[test]
    fn records_are_taken_down_and_come_back() {
        let mut state = StateWriter::default();
        history().write(&mut state);
        let state = state.finish();
        let mut again = LossHistory { records: Vec::new(), ..history() };
        let mut reader = StateReader(&state);
        again.read(&mut reader).unwrap();
        assert!(reader.finish().is_some());
        assert_eq!(format!("{again:?}"), format!("{:?}", history()), "NaN does not equal itself");
        assert!(again.read(&mut StateReader(&state[..state.len() - 1])).is_none());
    }

    #[test]
    fn a_picture_has_a_curve_for_each_loss() {
        let svg = history().to_svg();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert_eq!(svg.matches("<polyline").count(), 2);
        for name in ["held-out games", "training", "hand-crafted evaluation", "epoch"] {
            assert!(svg.contains(name), "{name}: {svg}");
        }
        // Values that are not finite are not drawn.
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let empty = LossHistory { layers_from: 0, hand_crafted: None, records: Vec::new() };
        let svg = empty.to_svg();
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
    }
}
