//! How descriptions of engines are read.

use super::*;

#[test]
fn options_are_read() {
    let each = ["turn=1 threads=2".to_owned(), "info.caution_factor=3".to_owned()];
    let text = r#"cmd="./my engine/pbrain --x 1" turn=0.1 match=90s inc=50ms nodes=5000 memory=350M"#;
    let spec = EngineSpec::parse(text, &each).unwrap();
    assert_eq!(spec.command.as_deref(), Some(&["./my", "engine/pbrain", "--x", "1"].map(String::from)[..]));
    assert_eq!((spec.turn_ms, spec.match_ms, spec.increment_ms), (Some(100), Some(90_000), 50));
    assert_eq!((spec.nodes, spec.threads, spec.memory), (Some(5000), 2, Some(350 << 20)));
    assert_eq!(spec.info, [("caution_factor".to_owned(), "3".to_owned())]);
    assert_eq!(spec.name, "my");
}

#[test]
fn the_built_in_engine_has_a_style() {
    let spec = EngineSpec::parse("level=3 variety=5 seed=7 experiencefile=losses.txt", &[]).unwrap();
    assert_eq!((spec.style().level.number(), spec.style().seed), (3, 7));
    assert_eq!(spec.style().variety, Variety::percent(5));
    assert_eq!(spec.experience_file.as_deref(), Some(Path::new("losses.txt")));
    // A level limits its search by itself, and full strength does not.
    assert!(spec.is_limited() && !EngineSpec::parse("level=full", &[]).unwrap().is_limited());
    for text in ["level=0", "level=strong", "variety=51", "cmd=./x level=3", "cmd=./x experiencefile=a"] {
        assert!(EngineSpec::parse(text, &[]).is_err(), "{text}");
    }
}

#[test]
fn former_names_are_read() {
    let spec = EngineSpec::parse("experiencefile=losses.txt", &[]).unwrap();
    assert_eq!(EngineSpec::parse("memoryfile=losses.txt", &[]).unwrap(), spec);
    let record = serde_json::to_string(&spec).unwrap().replace("experience_file", "memory_file");
    assert_eq!(serde_json::from_str::<EngineSpec>(&record).unwrap(), spec);
}

/// Seed 0 is a seed like any other, also in records, where engines without a seed have no such field.
#[test]
fn every_seed_repeats_games() {
    for (options, seed) in [("", None), ("seed=0", Some(0)), ("seed=7", Some(7))] {
        let spec = EngineSpec::parse(options, &[]).unwrap();
        let record = serde_json::to_value(&spec).unwrap();
        assert_eq!(record.get("seed").and_then(serde_json::Value::as_u64), seed);
        assert_eq!(record.get("seed").is_some(), seed.is_some(), "{record}");
        assert_eq!(serde_json::from_value::<EngineSpec>(record).unwrap(), spec);
        assert_eq!((spec.style().seed, spec.style().repeats), (seed.unwrap_or(0), seed.is_some()));
    }
    assert!(EngineSpec::parse("cmd=./x seed=0", &[]).is_err());
}

#[test]
fn blanks_in_a_path() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("kagetsu spec");
    std::fs::create_dir(&folder).unwrap();
    let program = folder.join("my engine.exe");
    std::fs::write(&program, "").unwrap();
    let path = program.to_str().unwrap();
    let command = |text: &str| EngineSpec::parse(text, &[]).unwrap().command.unwrap();
    // An existing file needs only the quotes that any value with blanks needs.
    assert_eq!(command(&format!("cmd=\"{path}\"")), [path]);
    assert_eq!(command(&format!("cmd='{path}' arg=-x arg='a b'")), [path, "-x", "a b"]);
    // Anything else is split into words, in which quotes of the other kind keep blanks together.
    assert_eq!(command(&format!("cmd=\"'{path}' -x\"")), [path, "-x"]);
    assert_eq!(command(r"cmd=C:\games\pbrain.exe arg=--fast"), [r"C:\games\pbrain.exe", "--fast"]);
    let spec = EngineSpec::parse(&format!("cmd='{path}' arg=-x"), &[]).unwrap();
    assert_eq!(spec.name, "my engine");
    assert_eq!(spec.command_text(), Some(format!("\"{path}\" -x")));
    assert!(EngineSpec::parse("arg=-x nodes=1", &[]).is_err());
}

#[test]
fn names_can_be_printed() {
    let name = |text: &str| EngineSpec::parse(text, &[]).map(|spec| spec.name);
    assert_eq!(name("name='A \"B\"'").unwrap(), "A \"B\"");
    for text in ["name=a\u{1b}[2J", "name='a\nb'", "name='\u{202e}x'", "name=", "name='  '"] {
        assert!(name(text).is_err(), "{text:?}");
    }
    assert!(name(&format!("name={}", "x".repeat(MAX_NAME + 1))).is_err());
    // A file may have any name; its engine may not.
    assert_eq!(name("cmd=./a\u{1b}b.exe").unwrap(), "ab");
    assert!(EngineSpec::is_named("nodes=1 name=x") && !EngineSpec::is_named("cmd='x name=y'"));
}

#[test]
fn time_controls_are_read_as_c_gomoku_cli_writes_them() {
    let times = |text: &str| {
        let spec = EngineSpec::parse(&format!("tc={text}"), &[]).unwrap();
        (spec.match_ms, spec.turn_ms, spec.increment_ms)
    };
    assert_eq!(times("180/30"), (Some(180_000), Some(30_000), 0));
    assert_eq!(times("0/0.1"), (None, Some(100), 0));
    assert_eq!(times("60+0.5"), (Some(60_000), Some(60_000), 500));
}

#[test]
fn mistakes_are_told() {
    for text in [
        "turn",
        "turn=x",
        "turn=-1",
        "bogus=1",
        "memory=4T",
        "cmd=\"a",
        "nodes=1.5",
        "turn=1h",
        "threads=0",
        "threads=257",
        "memory=350",
        "memory=1025G",
        "memory=31M",
    ] {
        assert!(EngineSpec::parse(text, &[]).is_err(), "{text}");
    }
}

#[test]
fn names_become_unique() {
    let names = |texts: [&str; 3]| {
        let mut engines = texts.map(|text| EngineSpec::parse(text, &[]).unwrap());
        make_names_unique(&mut engines, &texts.map(EngineSpec::is_named))?;
        anyhow::Ok(engines.map(|engine| engine.name))
    };
    assert_eq!(names(["nodes=1"; 3]).unwrap(), ["kagetsu", "kagetsu-2", "kagetsu-3"]);
    // A name that the user gave stays with the engine that was given it.
    let given = ["nodes=1", "nodes=2", "name=kagetsu-2 nodes=3"];
    assert_eq!(names(given).unwrap(), ["kagetsu", "kagetsu-3", "kagetsu-2"]);
    let given = ["nodes=1", "name=kagetsu", "nodes=3"];
    assert_eq!(names(given).unwrap(), ["kagetsu-2", "kagetsu", "kagetsu-3"]);
    let error = names(["name=a", "nodes=2", "name=a"]).unwrap_err().to_string();
    assert!(error.contains("two engines are called `a`"), "{error}");
}

#[test]
fn what_only_programs_understand_is_for_programs() {
    for word in ["info.hash=1", "option.x=1", "raw=INFO", "dir=.", "sendboard=true", "arg=-x"] {
        let error = EngineSpec::parse(&format!("nodes=1 {word}"), &[]).unwrap_err().to_string();
        assert!(error.contains("is for programs"), "{word}: {error}");
        assert!(EngineSpec::parse(&format!("cmd=./x {word}"), &[]).is_ok(), "{word}");
    }
    // For all engines of a match it may be given, because others can use it.
    let each = ["info.hash=1 sendboard=true".to_owned()];
    assert!(EngineSpec::parse("nodes=1", &each).is_ok());
    assert_eq!(EngineSpec::option_for_programs(&each[0]).as_deref(), Some("info.hash=1"));
    assert_eq!(EngineSpec::option_for_programs("name='info. a' nodes=1"), None);
}

#[test]
fn an_engine_is_not_blamed_for_what_all_are_given() {
    let said = |text: &str, each: &str| EngineSpec::parse(text, &[each.to_owned()]).unwrap_err().to_string();
    for (text, each) in [("nodes=1", "arg=-x"), ("cmd=./x", "nodes=1 level=3"), ("nodes=1", "memory=1M")] {
        let error = said(text, each);
        assert!(error.contains(&format!("in --each `{each}`")), "{error}");
    }
    assert!(said("nodes=1 arg=-x", "arg=-y").contains("(in `nodes=1 arg=-x`)"));
    assert!(EngineSpec::parse("cmd=./x", &["memory=1M".to_owned()]).is_ok());
}
