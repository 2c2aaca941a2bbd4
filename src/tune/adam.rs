//! The optimiser [Adam](https://arxiv.org/abs/1412.6980) (D. Kingma and J. Ba, "Adam: A method for stochastic
//! optimization", 2015): every weight has its own step, which follows the mean of its gradients and shrinks where they
//! vary.

use super::state::{StateReader, StateWriter};

/// The weights being optimised, and Adam's moment estimates of their gradients.
pub(super) struct Adam {
    /// The weights.
    pub values: Vec<f32>,
    /// The values that weight decay draws them to.
    decay_target: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

/// The regularisation of a weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Regularisation {
    /// The coefficient of weight decay (L2 regularisation): the weight's distance from its decay target times this
    /// is added to its gradient.
    pub weight_decay: f32,
    /// Adam's epsilon, added to the denominator of the step: a weight whose gradients are smaller than this takes
    /// smaller steps. Otherwise a rarely used weight steps as far as all others, and overfits.
    pub epsilon: f32,
}

impl Regularisation {
    /// Weight decay alone.
    pub(super) fn weight_decay(weight_decay: f32) -> Regularisation {
        // This epsilon only avoids a division by zero for a weight whose gradients are zero.
        Regularisation { weight_decay, epsilon: 1e-8 }
    }
}

impl Adam {
    /// Starts from these weights, with weight decay towards zero.
    pub(super) fn new(values: Vec<f32>) -> Adam {
        let zero = vec![0.0; values.len()];
        Adam { values, decay_target: zero.clone(), mean: zero.clone(), square: zero, steps: 0 }
    }

    /// Starts from these weights, with weight decay towards these initial values.
    pub(super) fn from_pretrained(values: Vec<f32>) -> Adam {
        Adam { decay_target: values.clone(), ..Adam::new(values) }
    }

    /// Takes one step against the gradient at this learning rate; `regularisation` maps the index of a weight to its
    /// regularisation.
    pub(super) fn step(
        &mut self,
        gradient: &[f32],
        rate: f32,
        regularisation: impl Fn(usize) -> Regularisation,
    ) {
        self.steps += 1;
        let correct_mean = 1.0 - MEAN_DECAY.powi(self.steps);
        let correct_square = 1.0 - SQUARE_DECAY.powi(self.steps);
        for (n, slope) in gradient.iter().enumerate() {
            let Regularisation { weight_decay, epsilon } = regularisation(n);
            let slope = slope + weight_decay * (self.values[n] - self.decay_target[n]);
            self.mean[n] = MEAN_DECAY * self.mean[n] + (1.0 - MEAN_DECAY) * slope;
            self.square[n] = SQUARE_DECAY * self.square[n] + (1.0 - SQUARE_DECAY) * slope * slope;
            let direction =
                self.mean[n] / correct_mean / ((self.square[n] / correct_square).sqrt() + epsilon);
            self.values[n] -= rate * direction;
        }
    }

    /// Serialises the weights and the state of the optimiser.
    pub(super) fn write(&self, state: &mut StateWriter) {
        state.number(self.steps as u64);
        for floats in [&self.values, &self.decay_target, &self.mean, &self.square] {
            state.floats(floats);
        }
    }

    /// Restores the serialised state of as many weights.
    pub(super) fn read(&mut self, state: &mut StateReader) -> Option<()> {
        self.steps = state.index(i32::MAX as usize)? as i32;
        for floats in [&mut self.values, &mut self.decay_target, &mut self.mean, &mut self.square] {
            state.floats(floats)?;
        }
        Some(())
    }
}

/// Cosine decay: the share of the initial learning rate that is left at this step.
pub(super) fn decay(step: usize, steps: usize) -> f32 {
    let part = step as f32 / steps.max(1) as f32;
    0.5 * (1.0 + (part * std::f32::consts::PI).cos()) + 0.01
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first steps of the algorithm in the paper, calculated by hand for one weight.
    #[test]
    fn steps_are_those_of_the_paper() {
        let mut adam = Adam::new(vec![1.0]);
        adam.step(&[4.0], 0.1, |_| Regularisation::weight_decay(0.0));
        // The bias-corrected moments are the gradient and its square, so the step is the full learning rate.
        assert!((adam.values[0] - 0.9).abs() < 1e-6, "{}", adam.values[0]);
        adam.step(&[-2.0], 0.1, |_| Regularisation::weight_decay(0.0));
        let mean = (0.9 * 0.1 * 4.0 - 0.1 * 2.0) / (1.0 - 0.9 * 0.9);
        let square: f32 = (0.999 * 0.001 * 16.0 + 0.001 * 4.0) / (1.0 - 0.999 * 0.999);
        let expected = 0.9 - 0.1 * mean / square.sqrt();
        assert!((adam.values[0] - expected).abs() < 1e-5, "{} {expected}", adam.values[0]);
    }

    #[test]
    fn weights_without_a_gradient_decay_to_their_target() {
        let mut adam = Adam::from_pretrained(vec![3.0, 3.0]);
        for _ in 0..50 {
            adam.step(&[0.0, 1.0], 0.01, |_| Regularisation::weight_decay(0.0));
        }
        assert!(adam.values[0] == 3.0 && adam.values[1] < 2.9);
        for _ in 0..500 {
            adam.step(&[0.0, 0.0], 0.01, |n| Regularisation::weight_decay(n as f32));
        }
        assert!((adam.values[1] - 3.0).abs() < 0.02, "{}", adam.values[1]);
    }

    #[test]
    fn cautious_weights_step_by_the_size_of_their_gradients() {
        let mut adam = Adam::new(vec![0.0; 3]);
        let gradient = [1e-6, 1e-4, 1.0];
        adam.step(&gradient, 0.1, |_| Regularisation { weight_decay: 0.0, epsilon: 1e-4 });
        let steps = [0.1 * 1e-6 / 1.01e-4, 0.05, 0.1];
        for (value, step) in adam.values.iter().zip(steps) {
            assert!((value + step).abs() < 0.01 * step, "{value}, not {step}");
        }
    }

    #[test]
    fn it_goes_on_where_it_was_taken_down() {
        let step = |adam: &mut Adam, n: usize| {
            adam.step(&[(n as f32).sin(), 0.3], 0.01, |_| Regularisation::weight_decay(0.1))
        };
        let mut whole = Adam::from_pretrained(vec![3.0, -1.0]);
        (0..10).for_each(|n| step(&mut whole, n));
        let mut state = StateWriter::default();
        whole.write(&mut state);
        let mut other = Adam::new(vec![0.0; 2]);
        let bytes = state.finish();
        assert!(Adam::new(vec![0.0; 3]).read(&mut StateReader(&bytes)).is_none(), "there are two weights");
        other.read(&mut StateReader(&bytes)).unwrap();
        (10..20).for_each(|n| [&mut whole, &mut other].into_iter().for_each(|adam| step(adam, n)));
        assert_eq!(other.values, whole.values);
    }

    #[test]
    fn rates_fall_from_all_to_next_to_nothing() {
        assert!(decay(0, 10) > 1.0 && decay(10, 10) < 0.02);
        assert!((1..=10).all(|step| decay(step, 10) < decay(step - 1, 10)));
    }
}
