//! The result of `kagetsu match --json`: one line for scripts, with all figures that the text has and as many digits
//! as there are.

use serde_json::{Value, json};

use crate::arena::json_figures;
use crate::arena::match_config::MatchConfig;
use crate::arena::match_play::MatchSummary;
use crate::arena::ratings::Rating;
use crate::arena::sprt::SprtVerdict;

/// The result as JSON. Infinite and unknown values are `null`.
pub(super) fn result_json(config: &MatchConfig, summary: &MatchSummary) -> Value {
    let standings = &summary.standings;
    let names: Vec<String> = config.engines.iter().map(|engine| engine.name.clone()).collect();
    let encounter = |engines: (usize, usize)| {
        json_figures::encounter([&names[engines.0], &names[engines.1]], &standings.encounter(engines))
    };
    let rating =
        |rating: &Rating| json!({ "engine": names[rating.engine], "elo": rating.elo, "error": rating.error });
    let sprt = config.sprt.map(|sprt| {
        let verdict = summary.verdict.unwrap_or(SprtVerdict::Open);
        json_figures::sprt(sprt, verdict, &standings.encounter((0, 1)))
    });
    json!({
        "engines": names,
        "games": standings.games(),
        "planned": config.schedule().len(),
        "encounters": config.encounters().into_iter().map(encounter).collect::<Vec<_>>(),
        "ratings": standings.table(names.clone()).ratings().iter().map(rating).collect::<Vec<_>>(),
        "sprt": sprt,
        "faults": standings.faults(),
        "overhead_ms": standings.overhead_ms(),
        "interrupted": summary.interrupted,
        "ended_by": summary.fatal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::standings::Standings;
    use crate::cli::match_options::tests::config;

    #[test]
    fn nothing_is_left_out_where_nothing_was_played() {
        let summary =
            MatchSummary { standings: Standings::default(), verdict: None, interrupted: true, fatal: None };
        let result = result_json(&config("-e nodes=1 -e nodes=2 --sprt 0,5"), &summary);
        assert_eq!(result["encounters"][0]["engines"], json!(["kagetsu", "kagetsu-2"]));
        assert_eq!(result["encounters"][0]["elo_high"], Value::Null);
        assert_eq!((&result["sprt"]["verdict"], &result["interrupted"]), (&json!("open"), &json!(true)));
        assert_eq!(result["sprt"]["words"], json!("undecided"));
    }
}
