//! Gradient descent: Adam (D. Kingma and J. Ba, "Adam: A method for stochastic optimization", 2015).

/// Numbers on their way down.
pub(super) struct Descent {
    /// Where they are.
    pub values: Vec<f32>,
    /// Where they are drawn to.
    home: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

impl Descent {
    pub(super) fn new(values: Vec<f32>) -> Descent {
        let zero = vec![0.0; values.len()];
        Descent { values, home: zero.clone(), mean: zero.clone(), square: zero, steps: 0 }
    }

    /// Starts where another descent ended, and is drawn back to there.
    pub(super) fn from_home(values: Vec<f32>) -> Descent {
        Descent { home: values.clone(), ..Descent::new(values) }
    }

    /// One step against the slopes. Every number is drawn home besides, which is zero unless it was said
    /// otherwise: by `pull` of its place times its distance.
    pub(super) fn step(&mut self, slopes: &[f32], rate: f32, pull: impl Fn(usize) -> f32) {
        self.steps += 1;
        let correct_mean = 1.0 - MEAN_DECAY.powi(self.steps);
        let correct_square = 1.0 - SQUARE_DECAY.powi(self.steps);
        for (n, slope) in slopes.iter().enumerate() {
            let slope = slope + pull(n) * (self.values[n] - self.home[n]);
            self.mean[n] = MEAN_DECAY * self.mean[n] + (1.0 - MEAN_DECAY) * slope;
            self.square[n] = SQUARE_DECAY * self.square[n] + (1.0 - SQUARE_DECAY) * slope * slope;
            let direction = self.mean[n] / correct_mean / ((self.square[n] / correct_square).sqrt() + 1e-8);
            self.values[n] -= rate * direction;
        }
    }
}
