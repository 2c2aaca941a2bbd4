//! What a stone at a point would make on one line.

/// What a line would become for a colour if it placed a stone on an empty point of the line.
///
/// In the diagrams `X` is an own stone, `*` the point in question, `|` a stone of the opponent or the edge,
/// `.` an empty point; a stone counts only if it can belong to one five with the point. Each shape is defined
/// by the better shape that one more own stone can make of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// `|..*..|`: no five fits any more.
    #[default]
    Dead,
    /// `XXX*XX`: six or more in a row that do not win.
    Overline,
    /// `|*....|`: a single stone, on the way to a [`Shape::Two`].
    One,
    /// `...*...`: a single stone, on the way to an [`Shape::OpenTwo`].
    OpenOne,
    /// `|X*...|`: on the way to a [`Shape::Three`].
    Two,
    /// `|..X*.|`: one more stone makes an open three, in one way.
    OpenTwo,
    /// `|..X*..|`: one more stone makes an open three, in two or three ways.
    WideOpenTwo,
    /// `...X*...`: one more stone makes an open three, in four ways or more.
    FreeOpenTwo,
    /// `|XX*..`: one more stone makes a four, but none an open four.
    Three,
    /// `|.XX*..|`: one more stone makes an open four, in one way.
    OpenThree,
    /// `..XX*..`: one more stone makes an open four, in two ways.
    FreeOpenThree,
    /// `|XXX*.`: one more stone makes five, and one stone of the opponent prevents it.
    Four,
    /// `X.X*X.X`: two fours on one line that are not a straight four.
    DoubleFour,
    /// `.XXX*.`: a straight four, which one stone cannot stop.
    OpenFour,
    /// `XXXX*`: wins.
    Five,
}

impl Shape {
    /// Every shape, in ascending order.
    pub const ALL: [Shape; 15] = [
        Shape::Dead,
        Shape::Overline,
        Shape::One,
        Shape::OpenOne,
        Shape::Two,
        Shape::OpenTwo,
        Shape::WideOpenTwo,
        Shape::FreeOpenTwo,
        Shape::Three,
        Shape::OpenThree,
        Shape::FreeOpenThree,
        Shape::Four,
        Shape::DoubleFour,
        Shape::OpenFour,
        Shape::Five,
    ];

    /// The number of shapes.
    pub const COUNT: usize = Shape::ALL.len();

    /// The shape with this number in [`Shape::ALL`]; [`Shape::Dead`] for larger numbers.
    #[must_use]
    #[inline]
    pub const fn from_index(index: usize) -> Shape {
        if index < Shape::COUNT { Shape::ALL[index] } else { Shape::Dead }
    }

    /// Whether one more own stone wins.
    #[must_use]
    #[inline]
    pub fn is_four(self) -> bool {
        matches!(self, Shape::Four | Shape::DoubleFour | Shape::OpenFour)
    }

    /// Whether one more own stone makes an open four.
    #[must_use]
    #[inline]
    pub fn is_open_three(self) -> bool {
        matches!(self, Shape::OpenThree | Shape::FreeOpenThree)
    }

    /// Whether one more own stone makes an open three.
    #[must_use]
    #[inline]
    pub fn is_open_two(self) -> bool {
        matches!(self, Shape::OpenTwo | Shape::WideOpenTwo | Shape::FreeOpenTwo)
    }
}
