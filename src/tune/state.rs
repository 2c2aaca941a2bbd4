//! Serialisation of the numbers of a run, all little-endian and exact to the bit, so that an interrupted run resumes
//! exactly where it was.

/// Serialises numbers.
#[derive(Default)]
pub(super) struct StateWriter(Vec<u8>);

impl StateWriter {
    pub(super) fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    /// A running sum.
    pub(super) fn sum(&mut self, sum: f64) {
        self.number(sum.to_bits());
    }

    /// A float that may be missing.
    pub(super) fn float(&mut self, float: Option<f32>) {
        // Every pattern of 32 bits is some float, so a missing one is marked by a bit above them.
        self.number(float.map_or(1 << 32, |float| float.to_bits().into()));
    }

    pub(super) fn floats(&mut self, floats: &[f32]) {
        self.number(floats.len() as u64);
        self.0.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Reads numbers in the order in which they were serialised. `None` means that the bytes hold something else.
pub(super) struct StateReader<'a>(pub &'a [u8]);

impl StateReader<'_> {
    pub(super) fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// A count or an index, below `end`.
    pub(super) fn index(&mut self, end: usize) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|&index| index < end)
    }

    pub(super) fn sum(&mut self) -> Option<f64> {
        self.number().map(f64::from_bits)
    }

    pub(super) fn float(&mut self) -> Option<Option<f32>> {
        match self.number()? {
            number if number == 1 << 32 => Some(None),
            number => u32::try_from(number).ok().map(|bits| Some(f32::from_bits(bits))),
        }
    }

    /// Replaces these floats, if as many were serialised.
    pub(super) fn floats(&mut self, floats: &mut [f32]) -> Option<()> {
        if self.number()? != floats.len() as u64 {
            return None;
        }
        let (bytes, rest) = self.0.split_at_checked(4 * floats.len())?;
        self.0 = rest;
        for (float, bytes) in floats.iter_mut().zip(bytes.as_chunks().0) {
            *float = f32::from_le_bytes(*bytes);
        }
        Some(())
    }

    pub(super) fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes.to_vec())
    }

    /// `Some` if everything was read.
    pub(super) fn finish(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// The states of several runs as one.
pub(crate) fn joined(states: &[Vec<u8>]) -> Vec<u8> {
    let mut whole = StateWriter::default();
    states.iter().for_each(|state| whole.bytes(state));
    whole.finish()
}

/// Takes joined states apart again; `None` if the bytes are not those of as many states.
pub(crate) fn separated<const N: usize>(whole: &[u8]) -> Option<[Vec<u8>; N]> {
    let mut whole = StateReader(whole);
    let mut states = [const { Vec::new() }; N];
    for state in &mut states {
        *state = whole.bytes()?;
    }
    whole.finish()?;
    Some(states)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_joined_and_separated() {
        let states = [vec![1, 2, 3], Vec::new(), vec![4]];
        let bytes = joined(&states);
        assert_eq!(separated(&bytes), Some(states));
        assert_eq!(separated::<2>(&bytes), None);
        assert_eq!(separated::<4>(&bytes), None);
        assert_eq!(separated::<3>(&bytes[..bytes.len() - 1]), None);
    }

    #[test]
    fn numbers_come_back_bit_by_bit() {
        let floats = [0.1, -0.0, f32::MIN_POSITIVE / 2.0, f32::INFINITY];
        let mut writer = StateWriter::default();
        writer.number(7);
        writer.sum(0.1);
        writer.float(None);
        writer.float(Some(f32::NAN));
        writer.floats(&floats);
        let bytes = writer.finish();

        let mut reader = StateReader(&bytes);
        assert_eq!((reader.index(8), reader.sum(), reader.float()), (Some(7), Some(0.1), Some(None)));
        assert_eq!(reader.float().flatten().map(f32::to_bits), Some(f32::NAN.to_bits()));
        let mut found = [1.0; 4];
        reader.floats(&mut found).unwrap();
        assert_eq!(found.map(f32::to_bits), floats.map(f32::to_bits));
        assert_eq!(reader.finish(), Some(()));

        assert_eq!(StateReader(&bytes).index(7), None);
        assert_eq!(StateReader(&bytes[32..]).floats(&mut [0.0; 3]), None, "there are four");
        assert_eq!(StateReader(&bytes[32..bytes.len() - 1]).floats(&mut found), None, "cut short");
        assert_eq!(StateReader(&bytes).finish(), None, "there is more");
    }
}
