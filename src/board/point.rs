//! Points and board sizes.
//!
//! Boards of all sizes lie in one array of [`STRIDE`] by [`STRIDE`] cells, the strip, with at least [`WALL`]
//! wall cells around the board. A neighbour is therefore one addition away, and a line window never leaves
//! the strip.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

/// The longest side of a board, in points.
pub const MAX_SIDE: usize = 22;
/// The shortest side of a board that can be played on: five in a row must fit.
pub const MIN_SIDE: usize = 5;

/// Column and row as received from outside, from 0 at the top left; not yet known to lie on a board.
pub type Coordinates = (i64, i64);
/// Wall cells on each side of the board: a line window reaches five points to either side.
pub const WALL: usize = 5;
/// Cells in one row of the strip, and rows in it.
pub const STRIDE: usize = 32;
/// Cells in the strip; the length of every table indexed by [`Point::index`].
pub const POINT_COUNT: usize = STRIDE * STRIDE;

/// One point of a board: column `x` from the left and row `y` from the top, both from 0.
///
/// Cell 0 of the strip is always wall, so `Option<Point>` is as small as a `Point`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(NonZeroU16);

const _: () = assert!(size_of::<Option<Point>>() == 2);

impl Point {
    /// The point in column `x` and row `y`.
    ///
    /// # Panics
    /// If `x` or `y` is not below [`MAX_SIDE`].
    #[must_use]
    #[track_caller]
    pub const fn new(x: usize, y: usize) -> Point {
        assert!(x < MAX_SIDE && y < MAX_SIDE, "a point lies outside the largest board");
        Point::from_strip((x + WALL) + (y + WALL) * STRIDE)
    }

    /// The point in column `x` and row `y` of a board of this size, or `None` if it is outside.
    #[must_use]
    pub const fn checked(x: i64, y: i64, size: Size) -> Option<Point> {
        if x < 0 || y < 0 || x >= size.width() as i64 || y >= size.height() as i64 {
            None
        } else {
            Some(Point::new(x as usize, y as usize))
        }
    }

    /// The cell `index` of the strip; wall cells count as points here, for walking along lines.
    pub(crate) const fn from_strip(index: usize) -> Point {
        match NonZeroU16::new((index % POINT_COUNT) as u16) {
            Some(index) => Point(index),
            None => panic!("cell 0 of the strip is not a point"),
        }
    }

    /// The point with this [`Point::index`]; `None` if no point of the largest board has it.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Point> {
        if index >= POINT_COUNT {
            return None;
        }
        match Point::from_cell(index) {
            Some(point) if point.x() < MAX_SIDE && point.y() < MAX_SIDE => Some(point),
            _ => None,
        }
    }

    /// The cell `index` of the strip, wall cells included; `None` for cell 0, which packed data uses for no point.
    #[inline]
    pub(crate) const fn from_cell(index: usize) -> Option<Point> {
        match NonZeroU16::new((index % POINT_COUNT) as u16) {
            Some(index) => Some(Point(index)),
            None => None,
        }
    }

    /// The index of the cell in the strip, 1 to [`POINT_COUNT`] - 1.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the invariant tells us: no bounds check is needed.
        self.0.get() as usize & (POINT_COUNT - 1)
    }

    /// The column from the left, 0 to [`MAX_SIDE`] - 1.
    #[must_use]
    #[inline]
    pub const fn x(self) -> usize {
        (self.index() % STRIDE).wrapping_sub(WALL)
    }

    /// The row from the top, 0 to [`MAX_SIDE`] - 1.
    #[must_use]
    #[inline]
    pub const fn y(self) -> usize {
        (self.index() / STRIDE).wrapping_sub(WALL)
    }

    /// The cell `offset` further along the strip, possibly a wall cell.
    #[must_use]
    #[inline]
    pub(crate) const fn offset(self, offset: isize) -> Point {
        Point::from_strip(self.index().wrapping_add_signed(offset))
    }

    /// The larger of the two coordinate differences.
    #[must_use]
    #[inline]
    pub const fn distance(self, other: Point) -> usize {
        let dx = (self.index() % STRIDE).abs_diff(other.index() % STRIDE);
        let dy = (self.index() / STRIDE).abs_diff(other.index() / STRIDE);
        if dx > dy { dx } else { dy }
    }
}

/// Column letter, then the row counted from 1 at the top, as the Gomocup rules write it: `h8` is `7,7`.
/// `FromStr` reads it back.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.x() as u8) as char, self.y() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The text that could not be read as a [`Point`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePointError(pub String);

impl fmt::Display for ParsePointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is neither `x,y` nor a point such as `h8`", self.0)
    }
}

impl std::error::Error for ParsePointError {}

/// Reads `h8`, `H8` or `7,7`. Does not check whether the point lies on a board of a particular size.
///
/// ```
/// use kagetsu::board::Point;
/// let point: Point = "h8".parse()?;
/// assert_eq!((point.x(), point.y()), (7, 7));
/// assert_eq!("7,7".parse(), Ok(point));
/// assert_eq!(point.to_string(), "h8");
/// assert!("h0".parse::<Point>().is_err());
/// # Ok::<(), kagetsu::board::ParsePointError>(())
/// ```
impl FromStr for Point {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<Point, ParsePointError> {
        let read = || {
            let (x, y) = match text.split_once(',') {
                Some((x, y)) => (number(x.trim())?, number(y.trim())?),
                None => {
                    let letter = text.bytes().next()?.to_ascii_lowercase();
                    let column = usize::from(letter).checked_sub(usize::from(b'a'))?;
                    (column, number(text.get(1..)?)?.checked_sub(1)?)
                }
            };
            (x < MAX_SIDE && y < MAX_SIDE).then(|| Point::new(x, y))
        };
        read().ok_or_else(|| ParsePointError(text.to_owned()))
    }
}

/// Reads a number that consists of digits only; the standard library also accepts a leading `+`.
fn number(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Width and height of a board, each 1 to [`MAX_SIDE`] points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// A board of `width` columns and `height` rows, or `None` if a side is 0 or above [`MAX_SIDE`].
    #[must_use]
    pub const fn new(width: usize, height: usize) -> Option<Size> {
        if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE {
            None
        } else {
            Some(Size { width: width as u8, height: height as u8 })
        }
    }

    /// A board of `side` by `side` points.
    ///
    /// # Panics
    /// If `side` is 0 or above [`MAX_SIDE`].
    #[must_use]
    #[track_caller]
    pub const fn square(side: usize) -> Size {
        match Size::new(side, side) {
            Some(size) => size,
            None => panic!("no board has such a side"),
        }
    }

    /// Columns.
    #[must_use]
    #[inline]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Rows.
    #[must_use]
    #[inline]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Points on the board.
    #[must_use]
    #[inline]
    pub const fn area(self) -> usize {
        self.width() * self.height()
    }

    /// Whether the point lies on the board.
    #[must_use]
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        // The coordinates of wall cells to the left of the board or above it wrap around to huge values.
        point.x() < self.width() && point.y() < self.height()
    }

    /// The centre point; if a side is even, the left or upper of its two middle points.
    #[must_use]
    pub const fn center(self) -> Point {
        Point::new((self.width() - 1) / 2, (self.height() - 1) / 2)
    }

    /// All points, row by row from the top left.
    pub fn points(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.height()).flat_map(move |y| (0..self.width()).map(move |x| Point::new(x, y)))
    }
}

/// Columns, then rows: `20x15`. `FromStr` reads it back.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// The text that could not be read as a [`Size`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseSizeError(pub String);

impl fmt::Display for ParseSizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a board size such as `15` or `20x15`, with sides of 1 to {MAX_SIDE}", self.0)
    }
}

impl std::error::Error for ParseSizeError {}

/// Reads `20x15`, columns and rows, or `15` for a square.
///
/// ```
/// use kagetsu::board::Size;
/// let size: Size = "20x15".parse()?;
/// assert_eq!((size.width(), size.height()), (20, 15));
/// assert_eq!(size.to_string(), "20x15");
/// assert_eq!("15".parse(), Ok(Size::square(15)));
/// assert!("23".parse::<Size>().is_err());
/// # Ok::<(), kagetsu::board::ParseSizeError>(())
/// ```
impl FromStr for Size {
    type Err = ParseSizeError;

    fn from_str(text: &str) -> Result<Size, ParseSizeError> {
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        let size = number(width).zip(number(height)).and_then(|(width, height)| Size::new(width, height));
        size.ok_or_else(|| ParseSizeError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_points_of_the_largest_board_have_an_index() {
        let indices: Vec<usize> = (0..4096).filter(|&index| Point::from_index(index).is_some()).collect();
        assert!(indices.into_iter().eq(Size::square(MAX_SIDE).points().map(Point::index)));
    }

    #[test]
    fn points_know_their_coordinates() {
        let size = Size::square(MAX_SIDE);
        for (n, point) in size.points().enumerate() {
            assert_eq!((point.x(), point.y()), (n % MAX_SIDE, n / MAX_SIDE));
            assert_eq!(Point::from_index(point.index()), Some(point));
            assert_eq!(point.to_string().parse(), Ok(point));
        }
    }

    #[test]
    fn walls_are_outside_every_board() {
        let size = Size::square(MAX_SIDE);
        let on_board = (1..POINT_COUNT).filter(|&i| size.contains(Point::from_strip(i))).count();
        assert_eq!(on_board, size.area());
        assert!(!Size::square(15).contains(Point::new(15, 3)));
    }

    #[test]
    fn nonsense_is_no_point() {
        for text in
            ["", "h", "8", "h0", "h+8", "w1", "a23", "-1,2", "+1,2", "1,-2", "22,0", "1,2,3", "é4", "1;2"]
        {
            assert_eq!(text.parse::<Point>(), Err(ParsePointError(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for (width, height) in
            (1..=MAX_SIDE).flat_map(|width| (1..=MAX_SIDE).map(move |height| (width, height)))
        {
            let size = Size::new(width, height).unwrap();
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        assert_eq!("7X5".parse(), Ok(Size::new(7, 5).unwrap()));
        for text in
            ["", "0", "23", "x", "15x", "x15", "15x0", "15x23", "15x15x15", "-1", "+15", "15 x 15", "é"]
        {
            assert_eq!(text.parse::<Size>(), Err(ParseSizeError(text.to_owned())), "{text}");
        }
        let said = "`23` is not a board size such as `15` or `20x15`, with sides of 1 to 22";
        assert_eq!("23".parse::<Size>().unwrap_err().to_string(), said);
    }
}
