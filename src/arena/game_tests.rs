//! Games between players that follow a script.

use super::*;

/// Plays a list of moves with scores.
struct Scripted {
    moves: Vec<(i64, i64, i32)>,
    opening: Vec<OpeningReply>,
    took: Duration,
}

impl Scripted {
    fn row(y: i64, score: i32) -> Scripted {
        let moves = (0..15).rev().map(|x| (x, y, score)).collect();
        Scripted { moves, opening: Vec::new(), took: Duration::ZERO }
    }
}

impl Player for Scripted {
    fn start(&mut self, _rule: Rule, _size: Size, _seed: u64, _stop: &Stop) -> Result<(), NoMove> {
        Ok(())
    }

    fn choose(
        &mut self,
        _stones: &Stones,
        _time: TimeControl,
        _stop: &Stop,
    ) -> Result<(Coordinates, Thinking), NoMove> {
        let (x, y, score) = self.moves.pop().ok_or(NoMove::Stopped)?;
        Ok(((x, y), Thinking { score: Some(score), elapsed: self.took, ..Thinking::default() }))
    }

    fn open(
        &mut self,
        _stones: &Stones,
        _time: TimeControl,
        _stop: &Stop,
    ) -> Result<(OpeningReply, Thinking), NoMove> {
        Ok((self.opening.remove(0), Thinking { score: Some(-500), ..Thinking::default() }))
    }

    fn discard(&mut self) {}

    fn quit(&mut self) -> bool {
        true
    }
}

fn setup() -> GameSetup<'static> {
    GameSetup {
        rule: Rule::Renju,
        size: Size::square(15),
        opening: &[],
        seed: 0,
        swap2: false,
        adjudication: Adjudication::default(),
    }
}

fn played(setup: &GameSetup, mut players: [Scripted; 2], spec: &str) -> PlayedGame {
    let spec = EngineSpec::parse(spec, &[]).unwrap();
    let [a, b] = &mut players;
    let mut seats = [Seat { player: a, spec: &spec }, Seat { player: b, spec: &spec }];
    play(setup, &mut seats, &Stop::new()).unwrap()
}

fn end(setup: &GameSetup, players: [Scripted; 2], spec: &str) -> (GameResult, Reason, usize) {
    let game = played(setup, players, spec);
    (game.result, game.reason, game.moves.len())
}

#[test]
fn five_wins() {
    let players = [Scripted::row(0, 0), Scripted::row(5, 0)];
    assert_eq!(end(&setup(), players, ""), (GameResult::Black, Reason::Line, 9));
}

#[test]
fn a_foul_loses() {
    // Black fills the gap between three stones and two, which makes six in a row.
    let black = [(0, 0), (1, 0), (2, 0), (4, 0), (5, 0)];
    let white = [(1, 7), (4, 9), (9, 3), (12, 12), (6, 11)];
    let opening: Vec<Point> = black
        .into_iter()
        .zip(white)
        .flat_map(|(b, w)| [Point::new(b.0, b.1), Point::new(w.0, w.1)])
        .collect();
    let mut players = [Scripted::row(0, 0), Scripted::row(5, 0)];
    players[0].moves = vec![(3, 0, 0)];
    let setup = GameSetup { opening: &opening, ..setup() };
    assert_eq!(end(&setup, players, ""), (GameResult::White, Reason::Foul, 11));
}

#[test]
fn illegal_moves_lose() {
    for at in [(15, 0), (-1, 3), (0, 5)] {
        let mut black = Scripted::row(0, 0);
        black.moves.push((2, 5, 0));
        let last = black.moves.len() - 2;
        black.moves[last] = (at.0, at.1, 0);
        let (result, reason, _) = end(&setup(), [black, Scripted::row(5, 0)], "");
        assert_eq!(result, GameResult::White);
        assert!(matches!(reason, Reason::Fault { fault: Fault::Illegal { .. } }), "{reason:?}");
    }
}

#[test]
fn clocks_run_out() {
    let slow = || Scripted { took: Duration::from_millis(400), ..Scripted::row(5, 0) };
    let late = |spec: &str| {
        matches!(
            end(&setup(), [Scripted::row(0, 0), slow()], spec).1,
            Reason::Fault { fault: Fault::Late { .. } }
        )
    };
    assert!(late("turn=0.3 margin=0"));
    assert!(!late("turn=0.3 margin=0.1"));
    assert!(late("match=1 margin=0"));
    assert!(!late("match=1 inc=0.3 margin=0"));
    // Time used from the margin is still taken off the clock.
    assert!(late("match=1 margin=0.1"));
}

#[test]
fn games_are_adjudicated() {
    let rules = |adjudication| GameSetup { adjudication, ..setup() };
    let draw = rules(Adjudication { draw_after: Some(6), ..Adjudication::default() });
    assert_eq!(
        end(&draw, [Scripted::row(0, 0), Scripted::row(5, 0)], ""),
        (GameResult::Draw, Reason::Length, 6)
    );
    let quiet = rules(Adjudication { quiet: Some((4, 10)), ..Adjudication::default() });
    assert_eq!(
        end(&quiet, [Scripted::row(0, 9), Scripted::row(5, -10)], ""),
        (GameResult::Draw, Reason::Quiet, 4)
    );
    assert_eq!(end(&quiet, [Scripted::row(0, 9), Scripted::row(5, 11)], "").2, 9);
    let one = rules(Adjudication { resign: Some((2, 500)), ..Adjudication::default() });
    assert_eq!(
        end(&one, [Scripted::row(0, 0), Scripted::row(5, -500)], ""),
        (GameResult::Black, Reason::Resignation, 4)
    );
    let both = rules(Adjudication { resign: Some((2, 500)), resign_both: true, ..Adjudication::default() });
    assert_eq!(end(&both, [Scripted::row(0, 0), Scripted::row(5, -500)], "").1, Reason::Line);
    assert_eq!(end(&both, [Scripted::row(0, 700), Scripted::row(5, -500)], "").1, Reason::Resignation);
}

#[test]
fn swap2_gives_the_colours() {
    let place = |cells: &[Coordinates]| OpeningReply::Place(cells.to_vec());
    let three = || place(&[(7, 7), (8, 8), (9, 7)]);
    let black = |proposer: Vec<OpeningReply>, chooser: Vec<OpeningReply>| {
        let players = [
            Scripted { opening: proposer, ..Scripted::row(0, 0) },
            Scripted { opening: chooser, ..Scripted::row(5, 0) },
        ];
        let game = played(&GameSetup { swap2: true, ..setup() }, players, "");
        (game.black, matches!(game.reason, Reason::Line), game.opening)
    };
    // The stones before the sides are fixed are the opening, whoever thought about them.
    assert_eq!(black(vec![three()], vec![OpeningReply::Swap]), (1, true, 3));
    assert_eq!(black(vec![three()], vec![place(&[(1, 1)])]), (0, true, 3));
    let two = || place(&[(1, 1), (13, 13)]);
    assert_eq!(black(vec![three(), OpeningReply::Swap], vec![two()]), (0, true, 5));
    assert_eq!(black(vec![three(), place(&[(2, 2)])], vec![two()]), (1, true, 5));
    // Also where the proposal is cut short by a fault.
    assert_eq!(black(vec![place(&[(7, 7), (8, 8), (7, 7)])], vec![]).2, 2);
    // Three stones are no answer to three stones.
    assert!(!black(vec![three()], vec![three()]).1);
    assert!(!black(vec![OpeningReply::Swap], vec![]).1);
}

/// The last stone of the opening is black, but the other player placed it: Black has given up hope once, not twice.
#[test]
fn scores_of_the_opening_resign_no_game() {
    let adjudication = Adjudication { resign: Some((2, 500)), ..Adjudication::default() };
    let setup = GameSetup { swap2: true, adjudication, ..setup() };
    let opening = vec![OpeningReply::Place(vec![(7, 7), (8, 8), (9, 7)])];
    let mut players = [
        Scripted { opening, ..Scripted::row(0, 0) },
        Scripted { opening: vec![OpeningReply::Swap], ..Scripted::row(5, 0) },
    ];
    players[1].moves.last_mut().unwrap().2 = -500;
    assert_eq!(end(&setup, players, "").1, Reason::Line);
}
