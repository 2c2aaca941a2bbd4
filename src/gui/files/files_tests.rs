//! Files as a page sees them: a game that is read is written as the same game, and no input does harm.

use serde_json::{Value, json};

use crate::gui::{MessageHandler, MessageHandlerOptions, Reaction};

fn answer(message: &Value) -> Value {
    answer_to(&message.to_string())
}

fn answer_to(message: &str) -> Value {
    let handler =
        MessageHandler::new(MessageHandlerOptions { threads: 1, is_server: false, can_shut_down: false });
    match handler.handle(message) {
        Reaction::Answer(frame) => serde_json::from_str(&frame).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn read(text: &str) -> Value {
    read_on(15, text)
}

/// Reads a text while a square board of this size is shown.
fn read_on(side: usize, text: &str) -> Value {
    answer(&json!({"id": 1, "op": "read", "text": text, "width": side, "height": side}))
}

fn write(game: &Value, format: &str, node: usize) -> Value {
    answer(&json!({"id": 2, "op": "write", "game": game, "format": format, "node": node}))
}

fn written(game: &Value, format: &str, node: usize) -> String {
    let answer = write(game, format, node);
    answer["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

const TREE: &str = r"(;FF[4]GM[4]SZ[15]RU[renju]PB[A [x\]]PW[B]EV[Cup]DT[2026-11-24]PC[Tokyo]RE[B+]GC[a
note]AB[aa:ba][cc]AW[oo]PL[W]C[two
lines: \\ and \]]
;W[ii]TR[aa]SQ[bb][cc]CR[dd]MA[ee]LB[ff:1][gg:a:b]
(;B[hh];W[];B[jj];AE[aa]AB[kk]PL[B])
(;B[hi]C[worse](;W[aa]XX[unknown])(;W[bb])))";

/// What comes behind the limit is not even read.
#[test]
fn no_more_nodes_than_a_game_may_have_are_held() {
    let nodes = "{},".repeat(100_001);
    let game = format!(r#"{{"rule":"freestyle","width":15,"height":15,"nodes":[{nodes} "no node"]}}"#);
    let refused = answer_to(&format!(r#"{{"id":1,"op":"write","format":"sgf","node":0,"game":{game}}}"#));
    let why = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(why.contains("a game has 1 to 100000 nodes"), "{refused}");
}

#[test]
fn sgf_is_written_as_it_was_read() {
    let first = read(TREE);
    assert_eq!(first["format"], "sgf", "{first}");
    let game = &first["games"][0];
    assert_eq!(game["rule"], "renju");
    assert_eq!(game["info"]["black"], "A [x]");
    assert_eq!(game["info"]["comment"], "a\nnote");
    let nodes = game["nodes"].as_array().unwrap();
    assert_eq!(
        nodes[0]["setup"],
        json!({"black": [[0, 0], [1, 0], [2, 2]], "white": [[14, 14]], "empty": []})
    );
    assert_eq!((&nodes[0]["color"], &nodes[0]["comment"]), (&json!("white"), &json!("two\nlines: \\ and ]")));
    assert_eq!((&nodes[1]["move"], &nodes[1]["color"]), (&json!([8, 8]), &json!("white")));
    assert_eq!(nodes[1]["children"], json!([2, 6]));
    assert!(
        nodes[1]["marks"]
            .as_array()
            .unwrap()
            .contains(&json!({"kind": "label", "point": [6, 6], "text": "a:b"}))
    );
    // A pass by White is a node after which Black is to move.
    assert_eq!((&nodes[3]["move"], &nodes[3]["color"]), (&Value::Null, &json!("black")));
    let text = written(game, "sgf", 0);
    assert!(text.contains(";W[]") && text.matches("PL[").count() == 2, "{text}");
    assert_eq!(read(&text)["games"], first["games"]);
}

#[test]
fn every_format_is_read_and_written() {
    let moves = read("h8 i9 j10");
    assert_eq!((&moves["format"], &moves["games"][0]["rule"]), (&json!("moves"), &Value::Null));
    let game = &moves["games"][0];
    assert_eq!(game["nodes"][3]["color"], "black");
    assert_eq!(written(game, "moves", 3), "h8 i9 j10");
    assert_eq!(written(game, "moves", 2), "h8 i9");
    let psq = read(&written(game, "psq", 3));
    assert_eq!((&psq["format"], &psq["games"][0]["nodes"]), (&json!("psq"), &game["nodes"]));
    let picture = read(&written(game, "picture", 3));
    assert_eq!(picture["format"], "picture");
    let root = &picture["games"][0]["nodes"][0];
    assert_eq!((&root["setup"]["white"], &root["color"]), (&json!([[8, 8]]), &json!("white")));
    assert_eq!(read(&written(&picture["games"][0], "picture", 0))["games"], picture["games"]);
    let collection = read("(;SZ[9];B[aa]) (;B[hh])\n(;SZ[20:15])");
    let sizes: Vec<&Value> =
        collection["games"].as_array().unwrap().iter().map(|game| &game["width"]).collect();
    assert_eq!(sizes, [9, 15, 20]);
    // A byte order mark, as Windows editors write it.
    assert_eq!(read("\u{FEFF}h8")["format"], "moves");
}

/// Against the standard, but some programs do it.
#[test]
fn a_node_with_moves_of_both_colours_is_two_moves() {
    let read = read("(;GM[4]SZ[15];B[hh]W[hi]C[two](;B[ii])(;B[jj]W[kk]))");
    let nodes = read["games"][0]["nodes"].as_array().unwrap();
    let moves: Vec<(&Value, &Value)> = nodes.iter().map(|node| (&node["move"], &node["children"])).collect();
    let expected =
        json!([[null, [1]], [[7, 7], [2]], [[7, 8], [3, 4]], [[8, 8], []], [[9, 9], [5]], [[10, 10], []]]);
    let found: Value =
        moves.into_iter().map(|(at, children)| json!([at, children])).collect::<Vec<Value>>().into();
    assert_eq!(found, expected, "{read}");
    assert_eq!((&nodes[1]["color"], &nodes[2]["color"]), (&json!("black"), &json!("white")));
}

#[test]
fn a_bad_game_is_left_out_of_its_collection() {
    let answer = read("(;B[aa]) (;GM[1]SZ[19];B[dd])\n(;SZ[3]) (;B[zz]) (;B[bb])) (;B[cc");
    assert_eq!(answer["games"].as_array().map(Vec::len), Some(2), "{answer}");
    let first = &answer["first_left_out"];
    assert_eq!((&answer["left_out"], &first["number"]), (&json!(5), &json!(2)));
    assert_eq!((&first["line"], &first["column"]), (&json!(1), &json!(15)));
    assert!(first["message"].as_str().is_some_and(|message| message.contains("(Go)")), "{answer}");
    let answer = read("(;B[aa]))");
    assert_eq!((&answer["left_out"], &answer["first_left_out"]["number"]), (&json!(1), &Value::Null));
    let whole = read("Hello,\nhere (as promised) is the game:\n\n(;B[aa])\n");
    assert_eq!((&whole["format"], &whole["left_out"]), (&json!("sgf"), &Value::Null));
}

#[test]
fn several_comments_of_a_move_are_one() {
    let nodes = &read("(;SZ[15]C[one]C[two]C[];B[aa]C[]C[last];W[bb]C[])")["games"][0]["nodes"];
    let comments: Vec<&Value> = nodes.as_array().unwrap().iter().map(|node| &node["comment"]).collect();
    assert_eq!(comments, [&json!("one\ntwo"), &json!("last"), &Value::Null]);
}

/// What other programs say of a game and of its moves is kept where it was, whatever it means.
#[test]
fn properties_that_mean_nothing_here_stay_in_their_nodes() {
    let text = r"(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[A]GN[a \] b]BR[3 dan]TM[600]RO[2 (final)]US[me]ON[kagetsu]
;B[hh]BL[599.5]N[first]BM[1]AR[aa:bb][cc:dd]
(;W[ii]TE[]DO[]SL[aa][bb]LN[aa:oo]KO[])
(;W[hi]IT[]PB[not of the root]XYZ[own \\ text]))";
    let first = read(text);
    let game = &first["games"][0];
    let root = &game["nodes"][0]["properties"];
    assert_eq!(root[0], json!(["GN", ["a ] b"]]), "{root}");
    assert_eq!(game["nodes"][1]["properties"][3], json!(["AR", ["aa:bb", "cc:dd"]]));
    let again = written(game, "sgf", 0);
    for property in [
        "GN[a \\] b]BR[3 dan]TM[600]RO[2 (final)]US[me]ON[kagetsu]\n;B[hh]BL[599.5]N[first]BM[1]AR[aa:bb][cc:dd]\n",
        "(;W[ii]TE[]DO[]SL[aa][bb]LN[aa:oo]KO[])\n(;W[hi]IT[]PB[not of the root]XYZ[own \\\\ text]))",
    ] {
        assert!(again.contains(property), "{again}");
    }
    assert_eq!((read(&again)["games"].clone(), again.matches("SZ[").count()), (first["games"].clone(), 1));
    assert!(written(game, "moves", 1).starts_with("h8"));
    // A rule that is not known is kept as it is called, and one that is not named is not written.
    for (rule, kept) in [("RU[Gomoku]", true), ("", false)] {
        let mut game = read(&format!("(;GM[4]SZ[15]{rule};B[hh])"))["games"][0].take();
        assert_eq!(written(&game, "sgf", 0).contains("RU[Gomoku]"), kept);
        game["rule"] = json!("renju");
        let text = written(&game, "sgf", 0);
        assert!(text.contains("RU[renju]") && !text.contains("Gomoku"), "{text}");
    }
}

#[test]
fn a_game_without_an_end_or_a_board_is_read_with_a_remark() {
    let answer = read("(;B[hh];W[ii]");
    assert_eq!((&answer["without_end"], &answer["on_larger_board"]), (&json!(true), &Value::Null));
    assert_eq!(answer["games"][0]["nodes"].as_array().map(Vec::len), Some(2));
    let answer = read("(;B[hh])(;B[ss])(;SZ[19];B[ss])");
    assert_eq!((&answer["without_end"], &answer["on_larger_board"]), (&Value::Null, &json!(true)));
    let sides: Vec<&Value> = answer["games"].as_array().unwrap().iter().map(|game| &game["width"]).collect();
    assert_eq!(sides, [15, 19, 19]);
    assert_eq!(read_on(20, "(;B[ss])")["games"][0]["width"], 20);
    // Of games that are left out, only that is said.
    let answer = read("(;B[hh])(;GM[1];B[ss])(;GM[1];W[hh]");
    assert_eq!((&answer["without_end"], &answer["on_larger_board"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["left_out"], 2);
}

#[test]
fn a_rule_that_is_not_named_or_not_known_is_nobodys_guess() {
    for (text, rule, unknown) in [
        ("(;SZ[15]RU[renju];B[hh])", json!("renju"), Value::Null),
        ("(;SZ[15]RU[Gomoku];B[hh])", Value::Null, json!("Gomoku")),
        ("(;SZ[15]RU[ ];B[hh])", Value::Null, Value::Null),
        ("(;SZ[15];B[hh])", Value::Null, Value::Null),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n-1", Value::Null, Value::Null),
        ("h8 i9", Value::Null, Value::Null),
    ] {
        let game = &read(text)["games"][0];
        assert_eq!((&game["rule"], &game["unknown_rule"]), (&rule, &unknown), "{text}");
    }
}

#[test]
fn moves_that_do_not_fit_on_the_board_are_read_on_a_larger_one() {
    for (shown, text, side) in
        [(5, "a1 e5", 5), (5, "h8 i9", 15), (15, "h8 s19", 19), (15, "h8 t1", 20), (5, "v22", 22)]
    {
        assert_eq!(read_on(shown, text)["games"][0]["height"], side, "{text}");
    }
    // What is wrong is told of the first board that is large enough, or of the one that is shown.
    for (text, wrong) in
        [("h8 h8", "h8 is taken"), ("h8 h23", "h8 is off the board of 5x5"), ("h8 zz", "`z` is neither")]
    {
        let error = &read_on(5, text)["error"];
        assert_eq!(error["code"], "unreadable", "{text}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(wrong)), "{error}");
    }
}

#[test]
fn games_in_pgn_are_read_with_names_and_results() {
    let text = "[Event \"Cup\"]\n[Site \"?\"]\n[Date \"2024.01.02\"]\n[White \"Bo\"]\n[Black \"Ada\"]\n\
                [Result \"0-1\"]\n\n1. h8 i9 {near} 2. j8 0-1\n\n\
                [Date \"????.??.??\"]\n[Variant \"renju\"]\n\n1. h8 s19 1/2-1/2\n\n[Variant \"pente\"]\n1. h8 h8 *\n";
    let games = read(text);
    let game = |number: usize| &games["games"][number];
    let info = &game(0)["info"];
    assert_eq!(
        [&info["black"], &info["white"], &info["event"], &info["date"], &info["place"], &info["result"]],
        ["Ada", "Bo", "Cup", "2024-01-02", "", "B+"]
    );
    assert_eq!(written(game(0), "moves", 3).trim(), "h8 i9 j8");
    assert_eq!((&game(0)["rule"], &game(1)["rule"]), (&Value::Null, &json!("renju")));
    assert_eq!((&game(1)["height"], &game(1)["info"]["result"]), (&json!(19), &json!("0")));
    assert_eq!(game(1)["info"]["date"], "");
    // A game that cannot be read is left out.
    let left_out = &games["first_left_out"];
    assert_eq!(
        (&games["left_out"], &left_out["number"], &left_out["line"]),
        (&json!(1), &json!(3), &json!(16))
    );
    assert_eq!(games["on_larger_board"], true);
    assert_eq!(read("[Variant \"pente\"]\n1. h8 *\n")["games"][0]["unknown_rule"], "pente");
    assert_eq!(read("[Event \"?\"]\n1. h8 h8 *\n")["error"]["reason"], "taken");
    // Rows are counted as in a list of moves.
    let text = "[Event \"?\"]\n1. a1 *";
    let from_bottom =
        json!({"id": 1, "op": "read", "text": text, "width": 15, "height": 15, "rows": "bottom"});
    assert_eq!(answer(&from_bottom)["games"][0]["nodes"][1]["move"], json!([0, 14]));
    assert_eq!(read("1. h8 i9 2. j8 i8 0-1")["games"][0]["nodes"].as_array().map(Vec::len), Some(5));
}

#[test]
fn what_a_format_cannot_say_is_refused() {
    let set_up = &read("(;AB[aa];W[bb])")["games"][0];
    for format in ["psq", "moves"] {
        let error = &write(set_up, format, 1)["error"];
        assert_eq!((&error["code"], &error["reason"]), (&json!("not-possible"), &json!("turns")));
    }
    assert!(written(set_up, "picture", 1).contains('O'));
    let dead = &read(". . . . .\n. # . . .\n. . . . .\n. . . . .\n. . . X .")["games"][0];
    assert_eq!(dead["nodes"][0]["setup"]["dead"], json!([[1, 1]]), "{dead}");
    assert_eq!(write(dead, "sgf", 0)["error"]["code"], "not-possible");
    let taken = &read("(;B[aa];W[aa])")["games"][0];
    assert_eq!(write(taken, "moves", 1)["error"]["code"], "not-possible");
    assert_eq!(write(taken, "picture", 1)["error"]["code"], "not-possible");
    let twice = &read("(;B[aa];B[bb])")["games"][0];
    assert_eq!(write(twice, "moves", 1)["error"]["code"], "not-possible");
    assert_eq!(write(twice, "moves", 0)["text"], "a1");
}

#[test]
fn games_that_are_none_are_refused() {
    let game = |nodes: Value| json!({"width": 15, "height": 15, "nodes": nodes});
    for nodes in [
        json!([]),
        json!([{"children": [0]}]),
        json!([{"children": [1]}]),
        json!([{"children": [1, 1]}, {}]),
        json!([{}, {"children": [2]}, {"children": [1]}]),
        json!([{"children": [1]}, {"children": [0]}]),
    ] {
        for format in ["sgf", "moves", "picture"] {
            let answer = write(&game(nodes.clone()), format, 1);
            let is_unreachable = format == "sgf" && nodes.as_array().unwrap().len() == 3;
            assert!(is_unreachable || answer["error"]["code"] == "bad-request", "{nodes} {format}: {answer}");
        }
    }
    assert_eq!(write(&game(json!([{}])), "sgf", 5)["error"], Value::Null);
    assert_eq!(write(&game(json!([{}])), "moves", 5)["error"]["code"], "bad-request");
    assert_eq!(write(&game(json!([{"move": [15, 0]}])), "sgf", 0)["error"]["code"], "bad-position");
    assert_eq!(
        write(&game(json!([{"marks": [{"kind": "triangle", "point": [-1, 0]}]}])), "sgf", 0)["error"]["code"],
        "bad-position"
    );
    assert_eq!(write(&game(json!([{"move": [1, 0]}])), "pdf", 0)["error"]["code"], "bad-request");
    let mut odd = game(json!([{}]));
    odd["rule"] = json!("gobang");
    assert_eq!(write(&odd, "sgf", 0)["error"]["code"], "bad-position");
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (text, line, column, said, reason, part) in [
        ("(;GM[1]SZ[19];B[dd])", 1, 6, "(Go)", "other-game", json!("1")),
        ("(;B[hh]\n;W[zz])", 2, 4, "off the board", "off-board", json!("zz")),
        ("(;", 1, 1, "no end", "game-end", Value::Null),
        ("h8 h8", 1, 4, "taken", "taken", json!("h8")),
        ("Piskvorky 15x15, 1\n16,1,0", 2, 1, "off the board", "off-board", json!("16,1")),
        ("hello world", 1, 1, "neither", "unknown", Value::Null),
    ] {
        let error = read(text)["error"].clone();
        assert_eq!((&error["code"], &error["line"]), (&json!("unreadable"), &json!(line)), "{text}: {error}");
        assert_eq!(error["column"], json!(column), "{text}: {error}");
        assert!(error["message"].as_str().unwrap().contains(said), "{text}: {error}");
        assert_eq!((&error["reason"], &error["part"]), (&json!(reason), &part), "{text}: {error}");
    }
    for (text, reason) in
        [("", "empty"), (" \n", "empty"), ("(;SZ[3])", "too-small"), ("X O\nO X", "too-small")]
    {
        let error = read(text)["error"].clone();
        assert_eq!((&error["code"], &error["reason"]), (&json!("unreadable"), &json!(reason)), "{text}");
    }
}

/// Texts that would become a hundred times as large in memory, or take for ever.
#[test]
fn rubbish_does_no_harm() {
    for (text, code) in [
        ("x".repeat(9 << 20), "too-large"),
        (format!("({}", ";".repeat(5 << 20)), "too-large"),
        ("(;B[aa])".repeat(300_000), "too-large"),
        (format!("(;AB{}", "[]".repeat(3 << 20)), "too-large"),
        (format!("(;AB{})", "[aa:oo]".repeat(20_000)), "too-large"),
        (format!("(;TR{})", "[aa:oo]".repeat(20_000)), "too-large"),
        (format!("({})", ";".repeat(150_000)), "too-large"),
        (format!("({})", ";B[]".repeat(90_000)), "too-large"),
        ("(".repeat(7 << 20), "unreadable"),
        ("[".repeat(7 << 20), "unreadable"),
        ("7,7 ".repeat(1 << 20), "unreadable"),
        (". ".repeat(4 << 20), "unreadable"),
        ("Piskvorky 15x15, 1\n".to_owned() + &"1,1,0\n".repeat(1 << 20), "unreadable"),
    ] {
        let error = read(&text)["error"].clone();
        assert_eq!(error["code"], code, "{}...: {error}", &text[..20]);
        assert!(error["message"].as_str().unwrap().len() < 2000);
    }
    // As deep and as large as the limits allow.
    let deep = read(&format!("(;{})", format!("({})", ";B[hh]".repeat(4_900)).repeat(20)));
    let game = &deep["games"][0];
    assert_eq!(game["nodes"].as_array().unwrap().len(), 98_001);
    assert_eq!(read(&written(game, "sgf", 0))["games"], deep["games"]);
}
