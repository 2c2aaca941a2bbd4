use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;

#[test]
fn values_that_were_cut_off_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kagetsu-given");
    assert_eq!(read_given(&path).unwrap(), None);
    for (text, values) in [("[1.5,2]", Some(vec![1.5, 2.0])), ("[1.5,", None), ("", None), ("\0\0", None)] {
        std::fs::write(&path, text).unwrap();
        assert_eq!(read_given(&path).unwrap(), values, "{text}");
    }
    // To the bit, whatever the numbers.
    let mut random = StdRng::seed_from_u64(1);
    let values: Vec<f64> = (0..1000).map(|_| random.random_range(-1000.0..1000.0)).collect();
    std::fs::write(&path, serde_json::to_string(&values).unwrap()).unwrap();
    assert_eq!(read_given(&path).unwrap(), Some(values));
    std::fs::write(&path, "{}").unwrap();
    assert!(format!("{:#}", read_given(&path).unwrap_err()).contains("kagetsu-given"));
}

#[cfg(feature = "tunable")]
#[test]
fn one_machine_alone_does_what_the_plain_command_does() {
    use super::super::build::Build;
    use super::super::recipe::RecipeFile;
    use super::super::run::{ShardEnd, run_shard};
    use super::super::spsa_run::SpsaFile;
    use super::super::work::Work;
    use crate::data::selfplay::GameRecipe;
    use crate::tune::spsa::{Plan, Progress, run as tune};
    let recipe = GameRecipe::new(60);
    let start = Progress::new();
    let work = SpsaWork {
        recipe: RecipeFile::of(&recipe),
        seed: 4,
        pairs: 3,
        pairs_per_shard: 1,
        names: Vec::new(),
        start: start.values.clone(),
    };
    let job = Job::new(Build::this(1), Work::Spsa(work.clone())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    let environment = ShardEnvironment::of_the_job();
    for shard in 0..3 {
        assert!(matches!(run_shard(&job, shard, &results, &environment).unwrap(), ShardEnd::Done(_)));
    }
    let plan = Plan { recipe, pairs: 3, seed: 4, names: Vec::new() };
    let plain = tune(&plan, start, 1, &Default::default(), |_| {}).unwrap();
    let manifests = read_all(&job, &results).unwrap();
    let (pairs, values) = work.learned(&manifests).unwrap();
    assert_eq!((pairs, values), (3, plain.values.iter().map(|(_, value)| *value).collect()));
    // What is merged goes as far as there is no gap, and replaces neither more pairs nor another run.
    let out = results.join("merged");
    std::fs::create_dir(&out).unwrap();
    let refused = |work: &SpsaWork, manifests: &[ShardManifest], why: &str| {
        let error = format!("{:#}", work.merge(&job, manifests, &out).unwrap_err());
        assert!(error.contains(why), "{error}");
    };
    let [first, second, last] = [0, 1, 2].map(|shard| manifests[shard].clone());
    refused(&work, std::slice::from_ref(&second), "shard 0 is missing");
    assert!(work.merge(&job, &[first.clone(), last], &out).unwrap().contains("without 1 shard after"));
    let file = out.join(PROGRESS_FILE);
    assert_eq!(SpsaFile::read(&file).unwrap().progress.pairs, 1);
    let held = SpsaFile::hold(&file).unwrap();
    refused(&work, &manifests, "still under way");
    drop(held);
    work.merge(&job, &manifests, &out).unwrap();
    refused(&work, &[first, second], "holds 3 pairs, and only 2 would replace them");
    refused(&SpsaWork { seed: 5, ..work.clone() }, &manifests, "differs in the seed");
    assert_eq!(SpsaFile::read(&file).unwrap().progress.values, plain.values);
    std::fs::write(&file, serde_json::to_string(&plain).unwrap()).unwrap();
    refused(&work, &manifests, "does not say how its games were played");
    // A shard that is run again keeps its values, whatever has been learned by then.
    std::fs::remove_file(folder_of(&results, 0).join(super::super::manifest::MANIFEST_FILE)).unwrap();
    assert!(matches!(run_shard(&job, 0, &results, &environment).unwrap(), ShardEnd::Done(_)));
    let again = read_all(&job, &results).unwrap();
    assert_eq!(again[0].outcome, manifests[0].outcome);
}
