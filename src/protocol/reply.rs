//! Formats replies as text: the one place where the protocol's words are put together.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use super::command::CommandError;
use super::database_reply::DatabaseReply;
use super::session::{Remark, SessionError};
use crate::board::{Color, Point};
use crate::eval::ThreatCounts;
use crate::eval::score::{self, Score};
use crate::library::{AccessError, BookMove};
use crate::search::Line;

/// The largest number of characters of a foreign text that a reply repeats.
const MAX_ECHO: usize = 100;
/// The largest number of moves of a variation in a reply; longer ones could overflow the buffers of some
/// managers.
const MAX_VARIATION: usize = 64;
/// The longest line of text, without its line end; managers' buffers hold 8,000.
const MAX_MESSAGE: usize = 999;

/// One reply. It is written as one line, [`Reply::Line`] as several.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Done.
    Ok,
    /// Who the engine is.
    About,
    /// The move or moves played.
    Moves(Vec<Point>),
    /// The engine takes the other colour.
    Swap,
    /// No such command.
    Unknown(String),
    /// A command that was not carried out.
    Error(Refusal),
    /// The largest number of threads that may be asked for.
    MaxThreads(usize),
    /// The largest hash table that may be asked for: the binary logarithm of its size in KB.
    MaxHashSize(u32),
    /// The forbidden points.
    Forbidden(Vec<Point>),
    /// How full the hash table is, in thousandths.
    TableUsage(u32),
    /// A draw is not accepted.
    DrawRejected,
    /// The opponent's resignation is noted.
    ResignationNoted,
    /// The opponent's move should have ended the game, or came after its end.
    Remark(Remark),
    /// This command does nothing here.
    Unsupported(&'static str),
    /// The n-th stone of the swap2 opening, from 1.
    Swap2Move(usize, Point),
    /// Whether the engine takes Black at the first or second question of the swap2 opening.
    Swap2Answer {
        /// 1 or 2.
        question: u8,
        /// Whether it takes Black.
        swap: bool,
    },
    /// Part of the Soosõrv-8 opening.
    Soosorv(SoosorvReply),
    /// How the evaluation sees the position: the side to move, and the score from its view.
    Assessment(Color, Score),
    /// On how many points a stone of this colour would make which threat.
    Threats(Color, ThreatCounts),
    /// What a search found, for people.
    Summary(Box<ReportedLine>),
    /// What a search found, for a display, in several lines.
    Line(Box<ReportedLine>),
    /// A progress report of a running search, for a display.
    Realtime(Realtime),
    /// An answer of the database.
    Database(DatabaseReply),
    /// The database cannot be used.
    DatabaseTrouble(AccessError),
    /// The state of the database, as the end of a sentence about it.
    DatabaseState(String),
    /// A move that the book plays, for people.
    Book(BookMove),
}

/// A line of the answer to a step of the Soosõrv-8 opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoosorvReply {
    /// One of the first three stones, numbered from 1.
    Move(usize, Point),
    /// Whether the engine takes the other colour at the first or second question.
    Swap {
        /// 1 after three stones, 2 after four.
        question: u8,
        /// Whether it does.
        swap: bool,
    },
    /// The fourth stone.
    Fourth {
        /// Where it goes.
        point: Point,
        /// How many fifth moves are to be offered.
        fifths: usize,
    },
    /// Fifth moves follow.
    FifthsBegin,
    /// One of the fifth moves that are offered.
    Fifth(Point),
    /// The end of the fifth moves.
    FifthsEnd,
    /// The fifth move that is taken.
    Taken(Point),
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It could not be read.
    Command(CommandError),
    /// It does not fit the state of the game.
    Session(SessionError),
}

impl From<CommandError> for Refusal {
    fn from(error: CommandError) -> Refusal {
        Refusal::Command(error)
    }
}

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Refusal {
        Refusal::Session(error)
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Command(error) => error.fmt(f),
            Refusal::Session(error) => error.fmt(f),
        }
    }
}

/// A line of play that was found, with the nodes and the time that it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedLine {
    /// 0 for the best line.
    pub rank: usize,
    /// Lines asked for.
    pub ranks: usize,
    /// The line.
    pub line: Line,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time used so far.
    pub elapsed: Duration,
}

impl ReportedLine {
    /// Nodes per second.
    fn speed(&self) -> u128 {
        u128::from(self.nodes) * 1_000_000 / self.elapsed.as_micros().max(1)
    }
}

/// A progress report of a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Realtime {
    /// A root move is being searched.
    Searching(Point),
    /// A root move has been searched.
    Done(Point),
    /// A new best move.
    Best(Point),
    /// A root move was found to lose.
    Lost(Point),
    /// A new iteration.
    Refresh,
    /// The score of the best move.
    Value(Score),
    /// The best line.
    Variation(Vec<Point>),
}

impl Display for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::About => write!(
                f,
                "name=\"Kagetsu\", version=\"{}\", author=\"the Kagetsu authors\", country=\"International\"",
                env!("CARGO_PKG_VERSION")
            ),
            Reply::Moves(points) => f.write_str(&coordinates(points)),
            Reply::Swap => f.write_str("SWAP"),
            Reply::Unknown(found) => write!(f, "UNKNOWN {}", echo(found)),
            Reply::Error(refusal) => write!(f, "ERROR {}", echo_all(&refusal.to_string())),
            Reply::MaxThreads(threads) => write!(f, "MESSAGE INFO MAX_THREAD_NUM {threads}"),
            Reply::MaxHashSize(log) => write!(f, "MESSAGE INFO MAX_HASH_SIZE {log}"),
            Reply::Forbidden(points) => {
                f.write_str("FORBID ")?;
                points.iter().try_for_each(|point| write!(f, "{:02}{:02}", point.x(), point.y()))?;
                f.write_str(".")
            }
            Reply::TableUsage(thousandths) => {
                write!(f, "MESSAGE hash usage {}.{} %", thousandths / 10, thousandths % 10)
            }
            Reply::DrawRejected => f.write_str("MESSAGE DRAW REJECT"),
            Reply::ResignationNoted => f.write_str("MESSAGE RESIGN noted"),
            Reply::Remark(Remark::Forbidden(point, foul)) => {
                write!(f, "MESSAGE the opponent's move {point} is forbidden: {foul}")
            }
            Reply::Remark(Remark::Over(color)) => {
                write!(f, "MESSAGE the game is over: {} has won", color.name())
            }
            Reply::Unsupported(what) => write!(f, "MESSAGE not supported: {what}"),
            Reply::Swap2Move(number, point) => {
                write!(f, "MESSAGE SWAP2 MOVE{number} {} {}", point.x(), point.y())
            }
            Reply::Swap2Answer { question, swap } => {
                write!(f, "MESSAGE SWAP2 SWAP{question} {}", if *swap { "YES" } else { "NO" })
            }
            Reply::Soosorv(reply) => soosorv(f, reply),
            Reply::Assessment(to_move, score) => {
                let percent = 100.0 * score::win_probability(*score);
                write!(f, "MESSAGE static eval {score} ({percent:.0} %) for {}, to move", to_move.name())
            }
            Reply::Threats(color, counts) => {
                let ThreatCounts { fives, open_fours, fours, open_threes } = counts;
                write!(
                    f,
                    "MESSAGE threats of {}: five {fives}, open four {open_fours}, four {fours}, open three {open_threes}",
                    color.name()
                )
            }
            Reply::Summary(found) => summary(f, found),
            Reply::Line(found) => line(f, found),
            Reply::Realtime(news) => realtime(f, news),
            Reply::Database(reply) => reply.fmt(f),
            Reply::DatabaseTrouble(error) => {
                write!(f, "MESSAGE the database cannot be used: {}", echo_all(&error.to_string()))
            }
            Reply::DatabaseState(state) => write!(f, "MESSAGE the database {}", echo_all(state)),
            Reply::Book(found) => {
                let percent = 100.0 * found.share;
                write!(f, "MESSAGE book eval {} ({percent:.0} %) pv {}", value(found.score), found.point)
            }
        }
    }
}

fn soosorv(f: &mut Formatter<'_>, reply: &SoosorvReply) -> fmt::Result {
    f.write_str("MESSAGE SOOSORV ")?;
    match reply {
        SoosorvReply::Move(number, point) => write!(f, "MOVE{number} {} {}", point.x(), point.y()),
        SoosorvReply::Swap { question, swap } => {
            write!(f, "SWAP{question} {}", if *swap { "YES" } else { "NO" })
        }
        SoosorvReply::Fourth { point, fifths } => write!(f, "MOVE4 {} {} {fifths}", point.x(), point.y()),
        SoosorvReply::FifthsBegin => f.write_str("MOVE5 REFRESH"),
        SoosorvReply::Fifth(point) => write!(f, "MOVE5 {} {}", point.x(), point.y()),
        SoosorvReply::FifthsEnd => f.write_str("MOVE5 DONE"),
        SoosorvReply::Taken(point) => write!(f, "MOVE5C {} {}", point.x(), point.y()),
    }
}

/// `MESSAGE depth 12-20 eval 35 (54 %) nodes 1234567 nps 701000 time 1760 ms pv h8 i9 j10`
fn summary(f: &mut Formatter<'_>, found: &ReportedLine) -> fmt::Result {
    let mut text = String::from("MESSAGE ");
    if found.ranks > 1 {
        text += &format!("({}) ", found.rank + 1);
    }
    text += &format!(
        "depth {}-{} eval {} ({:.0} %) nodes {} nps {} time {} ms pv",
        found.line.depth,
        found.line.selective_depth,
        value(found.line.score),
        100.0 * score::win_probability(found.line.score),
        found.nodes,
        found.speed(),
        found.elapsed.as_millis(),
    );
    for point in found.line.points.iter().take(MAX_VARIATION) {
        text += &format!(" {point}");
    }
    text.truncate(MAX_MESSAGE);
    f.write_str(&text)
}

fn line(f: &mut Formatter<'_>, found: &ReportedLine) -> fmt::Result {
    let line = &found.line;
    let best: &[Point] = line.points.get(..MAX_VARIATION).unwrap_or(&line.points);
    writeln!(f, "INFO PV {}", found.rank)?;
    writeln!(f, "INFO NUMPV {}", found.ranks)?;
    writeln!(f, "INFO DEPTH {}", line.depth)?;
    writeln!(f, "INFO SELDEPTH {}", line.selective_depth)?;
    writeln!(f, "INFO NODES {}", found.nodes)?;
    writeln!(f, "INFO TOTALNODES {}", found.nodes)?;
    writeln!(f, "INFO TOTALTIME {}", found.elapsed.as_millis())?;
    writeln!(f, "INFO SPEED {}", found.speed())?;
    writeln!(f, "INFO EVAL {}", value(line.score))?;
    writeln!(f, "INFO WINRATE {:.4}", score::win_probability(line.score))?;
    writeln!(f, "INFO BESTLINE {}", coordinates(best))?;
    write!(f, "INFO PV DONE")
}

fn realtime(f: &mut Formatter<'_>, news: &Realtime) -> fmt::Result {
    f.write_str("MESSAGE REALTIME ")?;
    match news {
        Realtime::Searching(point) => write!(f, "POS {},{}", point.x(), point.y()),
        Realtime::Done(point) => write!(f, "DONE {},{}", point.x(), point.y()),
        Realtime::Best(point) => write!(f, "BEST {},{}", point.x(), point.y()),
        Realtime::Lost(point) => write!(f, "LOST {},{}", point.x(), point.y()),
        Realtime::Refresh => f.write_str("REFRESH"),
        Realtime::Value(score) => write!(f, "VAL {score}"),
        Realtime::Variation(points) => {
            f.write_str("PV")?;
            points.iter().take(MAX_VARIATION).try_for_each(|point| write!(f, " {point}"))
        }
    }
}

/// `x,y` for each point, separated by one blank.
fn coordinates(points: &[Point]) -> String {
    let one = |point: &Point| format!("{},{}", point.x(), point.y());
    points.iter().map(one).collect::<Vec<String>>().join(" ")
}

/// A number, or `+Mn` and `-Mn` for a win and a loss in n plies.
fn value(score: Score) -> String {
    match score::plies_to_end(score) {
        Some(plies) if plies >= 0 && score::is_win(score) => format!("+M{plies}"),
        Some(plies) => format!("-M{}", plies.unsigned_abs()),
        None => score.to_string(),
    }
}

/// Foreign text made harmless: printable ASCII only, and truncated.
fn echo(text: &str) -> String {
    printable(text).take(MAX_ECHO).collect()
}

/// The engine's own text with foreign text in it, likewise.
fn echo_all(text: &str) -> String {
    printable(text).take(MAX_MESSAGE / 2).collect()
}

fn printable(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().map(|c| if matches!(c, ' '..='~') { c } else { '?' })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::eval::score::{lost_in, win_in};
    use crate::rules::judge::Foul;

    fn found(score: Score, points: Vec<Point>) -> Box<ReportedLine> {
        let line = Line { points, score, depth: 12, selective_depth: 20 };
        Box::new(ReportedLine { rank: 0, ranks: 1, line, nodes: 2_000, elapsed: Duration::from_millis(500) })
    }

    #[test]
    fn words_are_as_managers_expect_them() {
        let [a, b] = [Point::new(7, 8), Point::new(10, 0)];
        for (reply, text) in [
            (Reply::Ok, "OK"),
            (Reply::Moves(vec![a]), "7,8"),
            (Reply::Moves(vec![a, b]), "7,8 10,0"),
            (Reply::Swap, "SWAP"),
            (Reply::Forbidden(vec![]), "FORBID ."),
            (Reply::Forbidden(vec![a, b]), "FORBID 07081000."),
            (Reply::Unknown("caf\u{e9}\0x".to_owned()), "UNKNOWN caf??x"),
            (Reply::Error(SessionError::NoBoard.into()), "ERROR there is no board yet, send START"),
            (Reply::DrawRejected, "MESSAGE DRAW REJECT"),
            (
                Reply::Remark(Remark::Forbidden(a, Foul::DoubleThree)),
                "MESSAGE the opponent's move h9 is forbidden: double three",
            ),
            (Reply::Remark(Remark::Over(Color::White)), "MESSAGE the game is over: White has won"),
            (Reply::MaxThreads(2), "MESSAGE INFO MAX_THREAD_NUM 2"),
            (Reply::Swap2Move(4, a), "MESSAGE SWAP2 MOVE4 7 8"),
            (Reply::Swap2Answer { question: 1, swap: true }, "MESSAGE SWAP2 SWAP1 YES"),
            (Reply::Soosorv(SoosorvReply::Move(3, b)), "MESSAGE SOOSORV MOVE3 10 0"),
            (Reply::Soosorv(SoosorvReply::Swap { question: 2, swap: false }), "MESSAGE SOOSORV SWAP2 NO"),
            (Reply::Soosorv(SoosorvReply::Fourth { point: a, fifths: 5 }), "MESSAGE SOOSORV MOVE4 7 8 5"),
            (Reply::Soosorv(SoosorvReply::FifthsBegin), "MESSAGE SOOSORV MOVE5 REFRESH"),
            (Reply::Soosorv(SoosorvReply::Fifth(a)), "MESSAGE SOOSORV MOVE5 7 8"),
            (Reply::Soosorv(SoosorvReply::FifthsEnd), "MESSAGE SOOSORV MOVE5 DONE"),
            (Reply::Soosorv(SoosorvReply::Taken(a)), "MESSAGE SOOSORV MOVE5C 7 8"),
            (Reply::Assessment(Color::White, -25), "MESSAGE static eval -25 (47 %) for White, to move"),
            (
                Reply::Threats(
                    Color::Black,
                    ThreatCounts { fives: 1, open_fours: 2, fours: 3, open_threes: 4 },
                ),
                "MESSAGE threats of Black: five 1, open four 2, four 3, open three 4",
            ),
            (Reply::Realtime(Realtime::Searching(a)), "MESSAGE REALTIME POS 7,8"),
            (Reply::Realtime(Realtime::Refresh), "MESSAGE REALTIME REFRESH"),
            (
                Reply::Summary(found(-25, vec![a, b])),
                "MESSAGE depth 12-20 eval -25 (47 %) nodes 2000 nps 4000 time 500 ms pv h9 k1",
            ),
        ] {
            assert_eq!(reply.to_string(), text);
        }
    }

    #[test]
    fn a_refused_size_does_not_look_like_a_wish_for_20() {
        let reply = Reply::Error(SessionError::Size(200, 200).into()).to_string();
        assert!(reply.starts_with("ERROR ") && !reply.contains("20"), "{reply}");
    }

    #[test]
    fn a_line_has_all_keys_with_values() {
        let text = Reply::Line(found(win_in(7), vec![Point::new(7, 8), Point::new(9, 9)])).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.first(), Some(&"INFO PV 0"));
        assert_eq!(lines.last(), Some(&"INFO PV DONE"));
        assert!(lines.contains(&"INFO EVAL +M7") && lines.contains(&"INFO BESTLINE 7,8 9,9"));
        assert!(lines.contains(&"INFO WINRATE 1.0000") && lines.contains(&"INFO SPEED 4000"));
        assert!(lines.iter().all(|line| line.split(' ').count() >= 3));
        assert_eq!(value(lost_in(4)), "-M4");
    }

    #[test]
    fn no_line_outgrows_a_buffer() {
        let points: Vec<Point> = Size::square(22).points().collect();
        let replies = [
            Reply::Summary(found(0, points.clone())),
            Reply::Line(found(0, points.clone())),
            Reply::Realtime(Realtime::Variation(points)),
            Reply::Unknown("x".repeat(10_000)),
            Reply::Error(CommandError::Unknown("x".repeat(10_000)).into()),
        ];
        for reply in replies {
            let text = reply.to_string();
            assert!(text.lines().all(|line| line.len() < 1000 && line.is_ascii()));
        }
    }
}
