//! The documents checked against the program: every link leads somewhere, and every command in them can be given.
//!
//! What is fenced as `sh` is run line by line, block after block, in a folder of its own for each document, which holds
//! `examples/data` and nothing else, so that a command can use the files of those before it. `kagetsu` there is the
//! program under test. A comment `<!-- not run: why -->` above a fence keeps its block from being run; then at least
//! its subcommands and options must exist. Commands of Cargo are never run, but the tests, benches, examples and
//! features that they name must exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
#[cfg(unix)]
use std::process::Stdio;
#[cfg(unix)]
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

const KAGETSU: &str = env!("CARGO_BIN_EXE_kagetsu");

/// Options of Cargo that a value follows.
const CARGO_OPTIONS: [&str; 6] = ["--test", "--bench", "--example", "--bin", "--features", "--target"];

/// A command that takes longer is not meant to be run by a test.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(120);

/// What a document holds, as far as it can be wrong.
struct Document {
    /// From the root of the project.
    path: PathBuf,
    text: String,
    anchors: BTreeSet<String>,
    links: Vec<String>,
    blocks: Vec<Block>,
}

/// A block of shell commands.
struct Block {
    commands: Vec<String>,
    is_run: bool,
}

impl Document {
    fn read(path: &Path) -> Document {
        let text = fs::read_to_string(root().join(path)).expect("documents are text");
        let mut document = Document {
            path: path.to_owned(),
            anchors: BTreeSet::new(),
            links: Vec::new(),
            blocks: Vec::new(),
            text: String::new(),
        };
        let mut heading: Option<String> = None;
        let mut block: Option<String> = None;
        // What stands just before a fence may say that its block is not run.
        let mut remark = String::new();
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            match event {
                Event::Html(html) => {
                    remark.push_str(&html);
                    continue;
                }
                Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => continue,
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => document.add_anchor(&heading.take().unwrap_or_default()),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push(dest_url.into_string());
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) if &*language == "sh" => {
                    block = Some(String::new());
                    continue;
                }
                Event::End(TagEnd::CodeBlock) => {
                    if let Some(text) = block.take() {
                        let is_run = !remark.contains("<!-- not run: ");
                        document.blocks.push(Block { commands: commands_of(&text), is_run });
                    }
                }
                Event::Text(text) if block.is_some() => {
                    block.get_or_insert_default().push_str(&text);
                    continue;
                }
                Event::Text(text) | Event::Code(text) => {
                    heading.iter_mut().for_each(|heading| heading.push_str(&text));
                }
                _ => {}
            }
            remark.clear();
        }
        document.text = text;
        document
    }

    /// The anchor of a heading, as GitHub makes it.
    fn add_anchor(&mut self, heading: &str) {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let slug = heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-");
        let again = (1..).map(|n| format!("{slug}-{n}"));
        let anchor = [slug.clone()].into_iter().chain(again).find(|anchor| !self.anchors.contains(anchor));
        self.anchors.extend(anchor);
    }

    fn commands(&self) -> impl Iterator<Item = &String> {
        self.blocks.iter().flat_map(|block| &block.commands)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn documents() -> Vec<Document> {
    let pages = fs::read_dir(root().join("docs")).expect("there is a folder of documents");
    let pages = pages.map(|page| Path::new("docs").join(page.expect("it can be listed").file_name()));
    let mut paths: Vec<PathBuf> =
        pages.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    paths.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from));
    paths.sort();
    paths.iter().map(|path| Document::read(path)).collect()
}

/// Whether this build can do what the document shows: it may be built without the library of positions.
fn is_possible(document: &Document) -> bool {
    cfg!(feature = "library") || !document.path.ends_with("library.md")
}

/// The commands of a block, a line each; a backslash at its end makes a line go on.
fn commands_of(text: &str) -> Vec<String> {
    let whole = text.replace("\\\n", "");
    let lines = whole.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// The words of a command without its remark, if it is one of this program; assignments before it are left out.
fn words_of(command: &str, program: &str) -> Option<Vec<String>> {
    let is_assignment = |word: &String| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    let mut words = split(command).into_iter().skip_while(is_assignment);
    (words.next().as_deref() == Some(program))
        .then(|| words.take_while(|word| !word.starts_with('#')).collect())
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Words as the shell sees them, as far as documents go: quotes keep blanks together.
fn split(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c.is_whitespace() => words.push(String::new()),
            _ => words.last_mut().expect("there is always one").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn kagetsu(arguments: &[&str]) -> String {
    let output = Command::new(KAGETSU).args(arguments).output().expect("the program starts");
    assert!(output.status.success(), "kagetsu {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("help is text")
}

/// The subcommands that the help lists.
fn subcommands() -> BTreeSet<String> {
    let help = kagetsu(&["--help"]);
    let lines = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn links_lead_somewhere() {
    let documents = documents();
    let anchors: BTreeMap<PathBuf, &BTreeSet<String>> = documents
        .iter()
        .map(|document| (root().join(&document.path).canonicalize().expect("it was read"), &document.anchors))
        .collect();
    let mut broken = Vec::new();
    for document in &documents {
        let folder = root().join(&document.path);
        let folder = folder.parent().expect("a file lies in a folder");
        for link in document.links.iter().filter(|link| !link.contains(':')) {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if target.is_empty() { root().join(&document.path) } else { folder.join(target) };
            // The package of the source leaves out what is a package of its own.
            if ["web", "fuzz"]
                .iter()
                .any(|own| link.contains(&format!("{own}/")) && !root().join(own).exists())
            {
                continue;
            }
            let is_found = target.canonicalize().is_ok_and(|target| {
                anchor.is_empty() || anchors.get(&target).is_some_and(|anchors| anchors.contains(anchor))
            });
            if !is_found {
                broken.push(format!("{}: {link}", document.path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_subcommand_is_documented() {
    let texts: String = documents().into_iter().map(|document| document.text).collect();
    for subcommand in subcommands() {
        assert!(
            texts.contains(&format!("kagetsu {subcommand}")),
            "no document mentions `kagetsu {subcommand}`"
        );
    }
}

/// Subcommands and options of commands that are not run.
#[test]
fn commands_that_are_not_run_exist() {
    let subcommands = subcommands();
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    for document in documents().into_iter().filter(is_possible) {
        for command in document.blocks.iter().filter(|block| !block.is_run).flat_map(|block| &block.commands)
        {
            let Some(words) = words_of(command, "kagetsu") else { continue };
            let place = document.path.display();
            let subcommand = words.first().map_or("play", String::as_str);
            assert!(subcommands.contains(subcommand), "{place}: there is no {subcommand}: {command}");
            // Subcommands of subcommands have options of their own.
            let mut path = words.iter().map(String::as_str).take_while(|word| is_subcommand(word));
            let path: Vec<&str> = if words.is_empty() { vec!["play"] } else { path.by_ref().collect() };
            let help = helps.entry(path.join(" ")).or_insert_with(|| help_of(&path));
            let options = words.iter().take_while(|word| *word != "--").filter(|word| word.starts_with("--"));
            for option in options.filter_map(|option| option.split('=').next()) {
                let is_offered = help
                    .split(|c: char| c.is_whitespace() || ",=[]<>".contains(c))
                    .any(|word| word == option);
                assert!(is_offered, "{place}: {subcommand} knows no {option}: {command}");
            }
        }
    }
}

/// Whether a word may be the name of a subcommand: all of theirs are lower case, while files and numbers are not.
fn is_subcommand(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-')
}

/// The help of a subcommand and of those that lead to it.
fn help_of(path: &[&str]) -> String {
    let mut help = String::new();
    for length in 1..=path.len() {
        let mut words = path[..length].to_vec();
        words.push("--help");
        // A word that is not a subcommand is an argument of the one before.
        let output = Command::new(KAGETSU).args(&words).output().expect("the program starts");
        help += &String::from_utf8_lossy(&output.stdout);
    }
    help
}

/// Tests, benches, examples and features that commands of Cargo name, and subcommands that they run.
#[test]
fn cargo_finds_what_it_is_asked_for() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("there is a manifest");
    let subcommands = subcommands();
    for document in documents() {
        for command in document.commands() {
            let Some(words) = words_of(command, "cargo") else { continue };
            let place = format!("{}: {command}", document.path.display());
            let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
            let passed_on = words.get(end + 1);
            let mut words = words[..end].iter().map(String::as_str);
            let verb = words.next();
            let mut test = None;
            let mut is_other = false;
            while let Some(word) = words.next() {
                if !word.starts_with('-') {
                    // A filter among the tests: a part of a function's name, or of a file's that the test reads.
                    if let Some(name) = test {
                        assert!(test_has(name, word), "{place}: the test {name} has no {word}");
                    }
                    continue;
                }
                if !CARGO_OPTIONS.contains(&word) {
                    continue;
                }
                let value = words.next().unwrap_or_else(|| panic!("{place}: {word} needs a value"));
                let section = |kind: &str| manifest.contains(&format!("[[{kind}]]\nname = \"{value}\"\n"));
                let is_there = match word {
                    "--example" => {
                        section("example") || root().join(format!("examples/{value}.rs")).is_file()
                    }
                    "--features" => manifest.contains(&format!("\n{value} = [")),
                    "--target" => true,
                    kind => section(&kind[2..]),
                };
                assert!(is_there, "{place}: there is no {word} {value}");
                test = test.or((word == "--test").then_some(value));
                is_other |= matches!(word, "--features" | "--example");
            }
            // With features there may be subcommands that this build has not, and examples have none.
            if let (Some("run"), Some(subcommand), false) = (verb, passed_on, is_other) {
                assert!(subcommands.contains(subcommand), "{place}: there is no {subcommand}");
            }
        }
    }
}

fn test_has(name: &str, filter: &str) -> bool {
    let folder = root().join("protocol-tests");
    let source = fs::read_to_string(folder.join(format!("{name}.rs"))).unwrap_or_default();
    let mut files = fs::read_dir(folder.join(name)).into_iter().flatten().flatten();
    source.contains(filter) || files.any(|file| file.file_name().to_string_lossy().contains(filter))
}

#[cfg(unix)]
#[test]
fn commands_run() {
    // Two for each processor, since some wait: each command has to end in time.
    let documents: Vec<Document> = documents().into_iter().filter(is_possible).collect();
    let (next, commands) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..2 * thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(document) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
                    commands.fetch_add(run(document), Ordering::Relaxed);
                }
            });
        }
    });
    // A fence of another kind than `sh` would hide them.
    let commands = commands.into_inner();
    assert!(commands > 50, "only {commands} commands were found");
}

/// The files that documents may use.
#[cfg(unix)]
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        let copy = to.join(path.file_name().expect("what is listed has a name"));
        if path.is_dir() {
            copy_folder(&path, &copy);
        } else {
            fs::copy(&path, &copy).expect("a file can be copied");
        }
    }
}

/// Runs the commands of a document in a folder that holds nothing but the examples. How many there were.
#[cfg(unix)]
fn run(document: &Document) -> usize {
    let parent = tempfile::tempdir().expect("a folder can be made");
    // What the commands say must not lie among the files that they use.
    let (folder, log) = (parent.path().join("folder"), parent.path().join("said"));
    copy_folder(&root().join("examples/data"), &folder.join("examples/data"));
    let own = Path::new(KAGETSU).parent().expect("the program lies in a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path)));
    let path = path.expect("folders have names without colons");
    let mut commands = 0;
    for command in document.blocks.iter().filter(|block| block.is_run).flat_map(|block| &block.commands) {
        if words_of(command, "cargo").is_some() {
            continue;
        }
        commands += 1;
        let start = Instant::now();
        let said = fs::File::create(&log).expect("a file can be made");
        let mut child = Command::new("sh")
            .args(["-euc", command])
            .env("PATH", &path)
            .env_remove("RUST_LOG")
            .env_remove("KAGETSU_LOG_FILE")
            .current_dir(&folder)
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(said.try_clone().expect("it can be written twice"))
            .stderr(said)
            .spawn()
            .expect("there is a shell");
        let status = loop {
            match child.try_wait().expect("the shell can be waited for") {
                Some(status) => break Some(status),
                None if start.elapsed() > PATIENCE => break None,
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        let place = document.path.display();
        println!("{:6} ms  {place}: {command}", start.elapsed().as_millis());
        if status.is_none() {
            // The shell's whole group, and with it what it has started.
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            let _ = child.wait();
        }
        let said = fs::read(&log).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        assert!(
            status.is_some(),
            "{place}: {command}\nis not for a test: say above that it is not run\n{said}"
        );
        assert!(status.is_some_and(|status| status.success()), "{place}: {command}\n{said}");
    }
    commands
}
