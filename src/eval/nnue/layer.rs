//! A layer with sixteen outputs, laid out for SIMD vectors of sixteen numbers.

use bytemuck::cast;
use wide::{i16x16, i32x8};

use super::dims::OUTPUTS;

/// Sixteen sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sixteen([i32x8; 2]);

const _: () = assert!(OUTPUTS == 16);

impl Sixteen {
    pub(super) const ZERO: Sixteen = Sixteen([i32x8::ZERO; 2]);

    pub(super) fn new(numbers: &[i16; OUTPUTS]) -> Sixteen {
        Sixteen(cast(numbers.map(i32::from)))
    }

    #[inline]
    pub(super) fn plus(self, other: Sixteen) -> Sixteen {
        Sixteen([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }

    /// Divided by a power of two, rounded down.
    #[inline]
    pub(super) fn shifted(self, bits: u32) -> Sixteen {
        Sixteen([self.0[0] >> bits, self.0[1] >> bits])
    }

    /// The [clipped ReLU](https://www.chessprogramming.org/NNUE): clamps to 0 to `most`.
    #[inline]
    pub(super) fn clipped_relu(self, most: i32) -> Sixteen {
        Sixteen(self.0.map(|half| half.max(i32x8::ZERO).min(i32x8::splat(most))))
    }

    /// Narrows the sums to 16 bits, in which they must fit.
    #[inline]
    pub(super) fn narrow(self) -> i16x16 {
        let numbers: [i32; OUTPUTS] = cast(self.0);
        i16x16::new(numbers.map(|number| number as i16))
    }
}

/// The dot product over `N` vectors of weights and of inputs.
#[inline]
pub(super) fn dot<const N: usize>(weights: &[i16x16; N], inputs: &[i16x16; N]) -> i32 {
    let mut sum = i32x8::ZERO;
    for (weights, inputs) in weights.iter().zip(inputs) {
        sum += weights.dot(*inputs);
    }
    sum.to_array().iter().sum()
}

/// Weights of a layer for `VECTORS` times sixteen inputs. Row n holds the weights of inputs 2n and 2n + 1, output by
/// output, so that one step multiplies two inputs by the weights of eight outputs.
#[derive(Clone, Debug)]
pub(super) struct Layer<const VECTORS: usize>([[[i16x16; 2]; 8]; VECTORS]);

impl<const VECTORS: usize> Layer<VECTORS> {
    /// `weight` maps an output and an input to the weight that connects them.
    pub(super) fn new(weight: impl Fn(usize, usize) -> i16) -> Layer<VECTORS> {
        Layer(std::array::from_fn(|vector| {
            std::array::from_fn(|pair| {
                std::array::from_fn(|half| {
                    let lanes: [i16; 16] = std::array::from_fn(|lane| {
                        weight(half * 8 + lane / 2, vector * 16 + pair * 2 + lane % 2)
                    });
                    i16x16::new(lanes)
                })
            })
        }))
    }

    /// The outputs, before a bias is added or anything is clipped.
    #[inline]
    pub(super) fn of(&self, inputs: &[i16x16; VECTORS]) -> Sixteen {
        let mut sums = Sixteen::ZERO;
        for (rows, inputs) in self.0.iter().zip(inputs) {
            let pairs: [i32; 8] = cast(*inputs);
            for (row, pair) in rows.iter().zip(pairs) {
                let pair: i16x16 = cast(i32x8::splat(pair));
                sums = sums.plus(Sixteen([row[0].dot(pair), row[1].dot(pair)]));
            }
        }
        sums
    }
}
