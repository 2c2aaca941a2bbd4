//! Compares the VCT search with a slow search that follows the definition.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::board::Size;
use crate::formats::picture;
use crate::random::scattered;
use crate::rules::{Rule, with_rule};
use crate::solve::{Solver, SolverLimits, SolverVerdict, check};

/// Whether the side to move has a VCT, by definition: there is a VCF, or some move threatens one and leaves a won
/// position whatever the reply.
fn slow_vct<R: RuleSet>(
    position: &mut Position<R>,
    vcf: &mut VcfSearch,
    known: &mut HashMap<u64, bool>,
) -> bool {
    if let Some(&wins) = known.get(&position.hash()) {
        return wins;
    }
    let wins = vcf.has_vcf(position, ANY_LENGTH, u64::MAX) || {
        let own = position.to_move();
        let is_in_line = |position: &Position<R>, point: Point| {
            // A stone that stops five need not stand in line with anything.
            position.map().count(!own, Threat::Five) > 0
                || Direction::ALL.into_iter().any(|d| position.map().shape(point, d, own) >= Shape::Two)
        };
        position.empty_points().into_iter().any(|point| {
            is_in_line(position, point) && position.is_legal(point) && {
                position.play(point, &mut ());
                let wins = threat_wins(position, vcf, known);
                position.undo();
                wins
            }
        })
    };
    known.insert(position.hash(), wins);
    wins
}

fn threat_wins<R: RuleSet>(
    position: &mut Position<R>,
    vcf: &mut VcfSearch,
    known: &mut HashMap<u64, bool>,
) -> bool {
    position.pass();
    let threatens = vcf.has_vcf(position, ANY_LENGTH, u64::MAX);
    position.pass();
    threatens
        && position.empty_points().into_iter().all(|reply| {
            !position.is_legal(reply)
                || !position.wins_at(reply) && {
                    position.play(reply, &mut ());
                    let wins = slow_vct(position, vcf, known);
                    position.undo();
                    wins
                }
        })
}

#[test]
fn no_vct_is_missed() {
    let solver = Solver::new(SolverLimits { memory: 1 << 20, ..SolverLimits::default() });
    let mut seen = [0; 3];
    for (n, rule) in Rule::ALL.into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(200 + n as u64);
        for game in 0..600 {
            let size = [Size::square(6), Size::new(7, 6).unwrap()][game % 2];
            let left = rng.random_range(14..20);
            let stones = scattered(rule, size, size.area() - left, 9, &mut rng);
            if stones.empty_count() > 20 {
                continue;
            }
            let solution = solver.solve(rule, &stones).unwrap();
            let found = match &solution.verdict {
                SolverVerdict::Win(proof) => {
                    assert!(check(proof).is_ok());
                    true
                }
                SolverVerdict::NoWin(space) => {
                    assert_eq!(*space, ThreatSpace::Vct);
                    false
                }
                SolverVerdict::Unknown => panic!("there was no limit"),
            };
            let slow = with_rule!(rule, R => {
                let mut position = Position::<R>::from_stones(&stones, &mut ());
                slow_vct(&mut position, &mut VcfSearch::new(1 << 20), &mut HashMap::new())
            });
            let to_move = stones.to_move();
            assert_eq!(found, slow, "{rule}, {to_move:?} to move\n{}", picture::draw(&stones));
            seen[if found { usize::from(solution.space > ThreatSpace::Vcf) } else { 2 }] += 1;
        }
    }
    assert!(seen[0] > 100 && seen[1] > 5 && seen[2] > 100, "{seen:?}");
}
