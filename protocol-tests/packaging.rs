//! The scripts of `packaging`, `web` and `distributed`, with programs in place of Cargo and others that do as they are
//! told: what they do when something fails, what they count, and what they pack.
//!
//! Each test has a small tree of its own with the scripts in it, and builds nothing.
#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What stands in place of Cargo: it says what is asked of it, makes the program if it is to succeed, and leaves with
/// the status that a file of the tree names.
const CARGO: &str = r#"#!/bin/bash
[ "$1" != about ] || { echo "some licences"; exit 0; }
[ "$1" != tree ] || exec cat libraries
status=$(cat "$TREE/status")
command=$1 flags=$CARGO_ENCODED_RUSTFLAGS folder=${CARGO_TARGET_DIR:-} part=games
while [ $# != 0 ]; do
    case $1 in
        --target) target=$2 ;;
        --target-dir) folder=$2 ;;
        --allow-dirty) is_dirty=1 ;;
        --bin) is_native=1 ;;
        judge) part=forbidden ;;
    esac
    shift
done
if [ "$status" != 0 ]; then
    true
elif [ "$command" = fetch ]; then
    mkdir -p "$CARGO_HOME/$(cat "$TREE/crates")"
elif [ "$command" = build ] && [ -n "$folder" ]; then
    place=$folder/${target:-wasm32-wasip1}/release
    [ -z "${is_native:-}" ] || place=$folder/release
    mkdir -p "$place"
    echo "built with $flags" | tee "$place/kagetsu.flags" > "$place/kagetsu_web.wasm"
    printf '#!/bin/bash\n# for %s\n%s\necho "signature $(cat "$TREE/signature")"\n' "$target" "$(cat "$TREE/inside")" \
        > "$place/kagetsu"
    chmod +x "$place/kagetsu"
elif [ "$command" = package ]; then
    [ -n "${is_dirty:-}" ] || [ -z "$(git status --porcelain)" ] || exit 101
    mkdir -p "$folder/package"
    echo packed > "$folder/package/kagetsu-1.2.3.crate"
elif [ "$command" = test ]; then
    echo "$KAGETSU_ENGINE" > "$TREE/engine"
fi
echo "test some ... soundness $part games=3 most_ms=7"
exit "$status"
"#;

const RUSTUP: &str = "#!/bin/bash\nprintf 'x86_64-unknown-linux-%s\\n' gnu musl\n";

/// Says which C library a program needs.
const OBJDUMP: &str = "#!/bin/bash\necho \"GLIBC_2.4 GLIBC_$(cat \"$TREE/glibc\")\"\n";

/// Packs the names of the files that it is told of, into the archive that is its last word but one.
const ZIP: &str = "#!/bin/bash\ncat > \"${@: -2:1}\"\n";

/// A program that does nothing.
const NOTHING: &str = "#!/bin/bash\n";

/// What stands in place of Slurm's: it writes down what it is told, and answers as on one cluster of several.
const SBATCH: &str = "#!/bin/bash\nprintf '%s\\n' \"$*\" >> \"$TREE/submitted\"\necho '17;far'\n";

/// An engine under test that plays no match: the second of two fails. From the seventh on it says that its opponent has
/// lost half of its games by faults.
const ENGINE: &str = r#"#!/bin/bash
n=$(cat "$TREE/matches" 2> /dev/null || echo 0)
echo $((n + 1)) > "$TREE/matches"
[ "$n" != 1 ] || exit 1
faults=
[ "$n" -lt 6 ] || faults='"other":2'
echo "{\"games\":4,\"faults\":{$faults}}"
"#;

/// A tree with the scripts, under version control.
struct Tree {
    folder: TempDir,
}

impl Tree {
    fn new(name: &str) -> Tree {
        let tree = Tree { folder: TempDir::with_prefix(name).unwrap() };
        for script in [
            "packaging/release",
            "packaging/documents",
            "packaging/notices",
            "packaging/soundness",
            "packaging/oci",
            "packaging/windows",
        ] {
            tree.program(script, &fs::read_to_string(source(script)).unwrap());
        }
        // Not part of the package of the source.
        if let Ok(script) = fs::read_to_string(source("web/build.sh")) {
            tree.program("web/build.sh", &script);
        }
        tree.write("Cargo.toml", "[package]\nversion = \"1.2.3\"\n");
        for name in [
            "README.md",
            "CHANGELOG.md",
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "docs/a.md",
            "examples/data/game.sgf",
            "src/lib.rs",
        ] {
            tree.write(name, "text\n");
        }
        tree.write("packaging/third-party.txt", "some licences\n");
        tree.write("libraries", "one v1.0.0\n");
        for name in ["index.html", "web.js", "worker.js", "wasi.js", "offline.js", "manifest.json"] {
            tree.write(&format!("web/{name}"), "text\n");
        }
        tree.write("src/gui/page/index.html", "<script type=\"module\" src=\"main.js\"></script>\n");
        tree.write("src/page/page.css", "text\n");
        tree.write(
            ".gitignore",
            "target\ndist\n/tools\n/status\n/matches\n/crates\n/home\n/engine\n/out\n/other\n/signature\n/inside\n/glibc\n",
        );
        tree.write("benches/signature.txt", "7\n");
        for (name, text) in [("signature", "7"), ("inside", "# nothing"), ("glibc", "2.36")] {
            tree.write(name, text);
        }
        tree.write("crates", "registry/src/index");
        for (name, text) in [("cargo", CARGO), ("rustup", RUSTUP), ("zip", ZIP), ("objdump", OBJDUMP)] {
            tree.program(&format!("tools/{name}"), text);
        }
        tree.status(0);
        tree.git(&["init", "--quiet"]);
        tree.commit("first");
        tree
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn program(&self, name: &str, text: &str) {
        self.write(name, text);
        fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// With which status the builds and tests to come end.
    fn status(&self, status: u8) {
        self.write("status", &status.to_string());
    }

    fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]);
        assert!(git.args(arguments).current_dir(&self.folder).status().unwrap().success(), "{arguments:?}");
    }

    fn commit(&self, subject: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "--quiet", "-m", subject]);
    }

    fn run(&self, script: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let script = self.path("packaging").join(script);
        self.command(&script).args(arguments).envs(variables.iter().copied()).output().unwrap()
    }

    /// A program that finds those of the tree, started in the tree and with nothing else of the caller's settings.
    fn command(&self, program: &Path) -> Command {
        let path = format!("{}:{}", self.path("tools").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(program);
        for (name, _) in std::env::vars() {
            if ["KAGETSU_", "CARGO_", "RUSTFLAGS", "MAKE", "SLURM_"]
                .iter()
                .any(|start| name.starts_with(start))
            {
                command.env_remove(name);
            }
        }
        command.env("PATH", path).env("TREE", self.folder.path()).env("CARGO_HOME", self.path("home"));
        command.current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn package(&self, name: &str) -> PathBuf {
        self.path("target/packages").join(name)
    }

    /// What all runs of the present version have counted.
    fn table(&self) -> String {
        String::from_utf8(self.run("soundness", &["table"], &[]).stdout).unwrap()
    }
}

/// A file of the source.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Whether the build for browsers is there: it is a package of its own, and no part of the package of the source.
fn has_web() -> bool {
    source("web/build.sh").exists()
}

fn succeeded(output: &Output) -> bool {
    println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    output.status.success()
}

#[test]
fn packages_name_the_libraries_in_them() {
    let tree = Tree::new("notices");
    assert!(succeeded(&tree.run("release", &["linux"], &[])));
    let list = Command::new("tar")
        .arg("-tf")
        .arg(tree.package("kagetsu-1.2.3-linux-x86_64.tar.gz"))
        .output()
        .unwrap();
    assert!(String::from_utf8(list.stdout).unwrap().contains("/THIRD-PARTY.txt\n"));
    tree.write("packaging/third-party.txt", "licences of other libraries\n");
    tree.commit("second");
    let refused = tree.run("release", &["linux"], &[]);
    assert!(
        !succeeded(&refused)
            && String::from_utf8_lossy(&refused.stderr).contains("third-party.txt is out of date")
    );
    assert!(succeeded(&tree.run("notices", &[], &[])));
    assert_eq!(tree.read("packaging/third-party.txt"), "some licences\n");
}

#[test]
fn no_program_is_packed_that_was_not_built() {
    let tree = Tree::new("stale");
    assert!(succeeded(&tree.run("release", &["linux"], &[])));
    let archives = ["kagetsu-1.2.3-linux-x86_64.tar.gz", "kagetsu-1.2.3-linux-x86_64-baseline.tar.gz"];
    assert!(archives.iter().all(|name| tree.package(name).exists()));
    // The programs are there, from before; now they cannot be built.
    fs::remove_dir_all(tree.path("target/packages")).unwrap();
    tree.status(101);
    assert!(!succeeded(&tree.run("release", &["linux"], &[])));
    assert!(archives.iter().all(|name| !tree.package(name).exists()));
}

#[test]
fn what_is_not_committed_is_not_packed() {
    let tree = Tree::new("changed");
    tree.write("src/lib.rs", "changed\n");
    assert!(!succeeded(&tree.run("release", &["linux"], &[])));
    assert!(succeeded(&tree.run("release", &["linux"], &[("KAGETSU_UNCOMMITTED", "1")])));
    assert!(!succeeded(&tree.run("release", &["lunix"], &[("KAGETSU_UNCOMMITTED", "1")])));
}

/// What a page of the archive for Linux says.
fn packed(tree: &Tree, page: &str) -> String {
    assert!(succeeded(&tree.run("release", &["linux"], &[])));
    let archive = tree.package("kagetsu-1.2.3-linux-x86_64.tar.gz");
    let page = format!("kagetsu-1.2.3-linux-x86_64/{page}");
    let output = Command::new("tar").arg("-xzOf").arg(archive).arg(page).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn documents_in_a_package_lead_to_what_is_there() {
    let tree = Tree::new("links");
    let page = "[a](a.md) [the\ncode](../src/lib.rs#x) [b](https://b) [c](#c)\n\n```sh\n[d](none)\n```\n";
    tree.write("docs/a.md", page);
    tree.write("README.md", "<!-- source -->\nBuild it.\n<!-- package\nUnpack it.\n-->\n\n[a](docs/a.md)\n");
    tree.commit("documents");
    assert_eq!(packed(&tree, "README.md"), "Unpack it.\n\n[a](docs/a.md)\n");
    assert_eq!(packed(&tree, "docs/a.md"), page.replace("[the\ncode](../src/lib.rs#x)", "the\ncode"));

    // Where the source can be read by everyone, links lead there, to the files of the same commit.
    tree.write("Cargo.toml", "[package]\nversion = \"1.2.3\"\nrepository = \"https://example.org/k\"\n");
    tree.commit("address");
    let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(&tree.folder).output().unwrap();
    let head = String::from_utf8(head.stdout).unwrap();
    let target = format!("(https://example.org/k/blob/{}/src/lib.rs#x)", head.trim_end());
    assert_eq!(packed(&tree, "docs/a.md"), page.replace("(../src/lib.rs#x)", &target));
}

/// The SHA-256 of a file, as other programs see it.
fn digest(file: &Path) -> String {
    let output = Command::new("sha256sum").arg(file).output().unwrap();
    String::from_utf8(output.stdout).unwrap()[..64].to_owned()
}

#[test]
fn an_image_is_what_its_digests_say() {
    let tree = Tree::new("image");
    assert!(succeeded(&tree.run("release", &["oci"], &[])));
    let image = tree.package("kagetsu-1.2.3-linux-x86_64.oci.tar");
    let first = fs::read(&image).unwrap();
    // The same again, to the byte.
    fs::remove_dir_all(tree.path("target")).unwrap();
    assert!(succeeded(&tree.run("release", &["oci"], &[])));
    assert!(fs::read(&image).unwrap() == first);

    let folder = tree.path("target/image");
    fs::create_dir_all(&folder).unwrap();
    let unpack = |archive: &Path, to: &Path| {
        let status = Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(to).status().unwrap();
        assert!(status.success(), "{}", archive.display());
    };
    unpack(&image, &folder);
    let json = |path: &Path| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
    // A file that another one names: it is there, as large and with the digest that is said.
    let named = |descriptor: &Value| -> PathBuf {
        let name = descriptor["digest"].as_str().unwrap().strip_prefix("sha256:").unwrap();
        let path = folder.join("blobs/sha256").join(name);
        assert_eq!(digest(&path), name, "{descriptor}");
        assert_eq!(Some(path.metadata().unwrap().len()), descriptor["size"].as_u64(), "{descriptor}");
        path
    };
    assert_eq!(json(&folder.join("oci-layout"))["imageLayoutVersion"], "1.0.0");
    let index = json(&folder.join("index.json"));
    let manifest = json(&named(&index["manifests"][0]));
    assert_eq!(manifest["mediaType"], index["manifests"][0]["mediaType"]);
    assert_eq!(index["manifests"][0]["annotations"]["org.opencontainers.image.ref.name"], "kagetsu:1.2.3");
    let (config, layer) = (json(&named(&manifest["config"])), named(&manifest["layers"][0]));
    assert_eq!(config["config"]["Entrypoint"][0], "/usr/local/bin/kagetsu");
    assert_eq!(config["config"]["User"], "65532:65532");
    assert_eq!(json(&folder.join("manifest.json"))[0]["RepoTags"][0], "kagetsu:1.2.3");
    // Nothing lies there that nobody names: manifest, configuration, layer.
    assert_eq!(fs::read_dir(folder.join("blobs/sha256")).unwrap().count(), 3);

    let plain = folder.join("layer.tar");
    let unzipped = Command::new("gzip").arg("-dc").arg(&layer).output().unwrap();
    fs::write(&plain, unzipped.stdout).unwrap();
    assert_eq!(config["rootfs"]["diff_ids"][0], format!("sha256:{}", digest(&plain)));
    let root = folder.join("root");
    fs::create_dir(&root).unwrap();
    unpack(&plain, &root);
    let program = root.join("usr/local/bin/kagetsu");
    assert_eq!(program.metadata().unwrap().permissions().mode() & 0o777, 0o755);
    assert!(root.join("work").is_dir());
    // It must need no library, since there is none.
    assert!(fs::read_to_string(program).unwrap().contains("# for x86_64-unknown-linux-musl"));
    assert!(root.join("usr/share/doc/kagetsu/THIRD-PARTY.txt").is_file());
}

#[test]
fn what_was_counted_holds_for_the_source_that_it_was_counted_with() {
    const NODE: &str = "src/search/node.rs";
    let tree = Tree::new("counted");
    tree.write(NODE, "text\n");
    tree.commit("search");
    let engine = [("KAGETSU_ENGINE", "/bin/true")];
    for _ in 0..2 {
        assert!(succeeded(&tree.run("soundness", &["1", "games"], &engine)));
    }
    let twice = tree.table();
    assert!(twice.contains("2 runs, 0 failed): games 6 most_ms 7"), "{twice}");
    // A commit of the documents alone takes nothing away, and none of tests.
    tree.write("docs/a.md", "more\n");
    tree.write("src/lib_tests.rs", "a test\n");
    tree.write(NODE, "text\n#[cfg(test)]\n#[allow(lint)]\nmod tests {\n    use super::*;\n}\n");
    tree.commit("documents and tests");
    assert_eq!(tree.table(), twice);
    // Nor does one of what takes no part in games.
    tree.write("src/gui/page.rs", "a page\n");
    tree.commit("page");
    assert_eq!(tree.table(), twice);
    // What is changed and not committed counts apart, and so does another source.
    tree.write(NODE, "changed\n");
    assert_eq!(tree.table(), "");
    assert!(succeeded(&tree.run("soundness", &["1", "games"], &engine)));
    assert!(tree.table().contains("1 runs, 0 failed): games 3"));
    tree.commit("source");
    assert_eq!(tree.table(), "");
    // The search has no part in forbidden points, whose rules have.
    assert!(succeeded(&tree.run("soundness", &["1", "forbidden"], &engine)));
    let forbidden = tree.table();
    assert!(forbidden.contains("1 runs, 0 failed"), "{forbidden}");
    tree.write(NODE, "changed again\n");
    tree.commit("search");
    assert_eq!(tree.table(), forbidden);
    tree.write("src/rules/judge.rs", "a rule\n");
    tree.commit("rules");
    assert_eq!(tree.table(), "");
    // Other libraries make another program.
    assert!(succeeded(&tree.run("soundness", &["1", "games"], &engine)));
    tree.write("libraries", "one v1.0.1\n");
    tree.commit("libraries");
    assert_eq!(tree.table(), "");
    // Failures are counted as well, and told.
    tree.status(1);
    assert!(!succeeded(&tree.run("soundness", &["1", "games", "forbidden"], &engine)));
    assert_eq!(tree.table().matches("1 runs, 1 failed): games 3").count(), 2, "{}", tree.table());
    assert!(!succeeded(&tree.run("soundness", &["1", "fuzz"], &engine)));
    // So is one before anything was counted.
    tree.program("tools/cargo", "#!/bin/bash\n[ $1 = tree ]\n");
    assert!(!succeeded(&tree.run("soundness", &["1", "kills"], &engine)));
    assert!(tree.table().contains("1 runs, 1 failed):\n"), "{}", tree.table());
    // Without its libraries a version is unknown, and nothing is told of it.
    tree.program("tools/cargo", "#!/bin/bash\nexit 101\n");
    assert!(!succeeded(&tree.run("soundness", &["table"], &[])));
    for percent in ["games", "0", "0.5", "-1"] {
        assert!(!succeeded(&tree.run("soundness", &[percent, "games"], &engine)), "{percent}");
    }
}

#[test]
fn a_reader_that_fails_is_counted_and_does_not_end_the_others() {
    let tree = Tree::new("fuzz");
    for (reader, inputs, status) in [("bad", 5, 77), ("good", 7, 0)] {
        tree.write(&format!("protocol-tests/corpus/{reader}/one"), "1");
        tree.program(
            &format!("fuzz/target/{}/release/{reader}", host()),
            &format!("#!/bin/bash\necho 'stat::number_of_executed_units: {inputs}' >&2\nexit {status}\n"),
        );
    }
    assert!(!succeeded(&tree.run("soundness", &["1", "fuzz"], &[("KAGETSU_ENGINE", "/bin/true")])));
    let table = tree.table();
    assert!(table.contains("2 runs, 1 failed): inputs 12 seconds 120 bad 5 good 7"), "{table}");
}

/// The system that Rust compiles for here.
fn host() -> String {
    let said = Command::new("rustc").arg("-vV").output().expect("Rust is there").stdout;
    let said = String::from_utf8(said).expect("it is text");
    said.lines().find_map(|line| line.strip_prefix("host: ")).expect("it is said").to_owned()
}

#[test]
fn a_match_that_fails_does_not_end_the_others() {
    let tree = Tree::new("opponents");
    tree.program("tools/engine", ENGINE);
    let engine = tree.path("tools/engine").display().to_string();
    let variables = [("KAGETSU_ENGINE", engine.as_str()), ("KAGETSU_OPPONENTS", "other")];
    assert!(!succeeded(&tree.run("soundness", &["1", "opponents"], &variables)));
    // Three rules, and the second match has failed.
    let counted = |games: &str| assert!(tree.table().contains(games), "{}", tree.table());
    counted("1 runs, 1 failed): games 8 kagetsu_at_fault 0 other_at_fault 0 matches_failed 1");
    // All is well where all is.
    assert!(succeeded(&tree.run("soundness", &["1", "opponents"], &variables)));
    counted("2 runs, 1 failed): games 20 kagetsu_at_fault 0 other_at_fault 0 matches_failed 1");
    // Games against an opponent that does not play tell nothing.
    assert!(!succeeded(&tree.run("soundness", &["1", "opponents"], &variables)));
    counted("3 runs, 2 failed): games 32 kagetsu_at_fault 0 other_at_fault 6 matches_failed 1");
}

#[test]
fn runs_beside_each_other_count_both() {
    let tree = Tree::new("beside");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                assert!(succeeded(&tree.run(
                    "soundness",
                    &["1", "games"],
                    &[("KAGETSU_ENGINE", "/bin/true")]
                )))
            });
        }
    });
    assert!(tree.table().contains("4 runs, 0 failed): games 12"), "{}", tree.table());
}

/// The flags that a program was built with, of those that stand for paths.
fn remapped(built: &str) -> Vec<String> {
    let flags = built.trim_end().strip_prefix("built with ").unwrap().split('\x1f');
    flags.filter(|flag| flag.starts_with("--remap-path-prefix=")).map(str::to_owned).collect()
}

#[test]
fn paths_of_the_machine_are_kept_out_even_with_blanks() {
    if !has_web() {
        return;
    }
    let tree = Tree::new("paths with blanks");
    let folder = tree.folder.path().display();
    let expected = [
        format!("--remap-path-prefix={folder}=/kagetsu"),
        format!("--remap-path-prefix={folder}/home/registry/src/index=/crates"),
    ];
    assert!(succeeded(&tree.run("release", &["linux", "web"], &[])));
    for folder in ["x86-64-default", "x86-64-v3-default"] {
        let built =
            tree.read(&format!("target/packaging/{folder}/x86_64-unknown-linux-gnu/release/kagetsu.flags"));
        assert_eq!(remapped(&built), expected, "{folder}");
    }
    let web = ["web/dist/kagetsu.wasm", "web/dist/kagetsu-plain.wasm"].map(|name| tree.read(name));
    for built in &web {
        assert_eq!(remapped(built), expected);
        assert!(built.contains("-Clink-arg=-zstack-size="), "{built}");
    }
    assert!(web[0].contains("+simd128") && !web[1].contains("+simd128"));
    // What the page loads is stored for later, and the page by the name of its folder.
    let offline = tree.read("web/dist/offline.js");
    for stored in ["./", "web.js", "page/page.css", "kagetsu.wasm", "kagetsu-plain.wasm"] {
        assert!(offline.contains(&format!("  [\"{stored}\", \"")), "{stored}: {offline}");
    }
    assert!(!offline.contains("LICENSE") && !offline.contains("offline.js"), "{offline}");
    // Where no crates are found their paths would stay in.
    fs::remove_dir_all(tree.path("home")).unwrap();
    tree.write("crates", "elsewhere");
    assert!(!succeeded(&tree.run("release", &["linux"], &[])));
}

#[test]
fn checksums_are_those_of_one_version() {
    if !has_web() {
        return;
    }
    let tree = Tree::new("sums");
    for name in ["kagetsu-1.2.2-linux-x86_64.tar.gz", "kagetsu-1.2.3-rc1-linux-x86_64.tar.gz", "notes"] {
        tree.write(&format!("target/packages/{name}"), "old\n");
    }
    assert!(succeeded(&tree.run("release", &["source", "linux", "web"], &[])));
    let sums = tree.read("target/packages/SHA256SUMS");
    let names: Vec<_> = sums.lines().map(|line| &line[66..]).collect();
    assert_eq!(
        names,
        [
            "kagetsu-1.2.3-linux-x86_64-baseline.tar.gz",
            "kagetsu-1.2.3-linux-x86_64.tar.gz",
            "kagetsu-1.2.3-web.zip",
            "kagetsu-1.2.3.crate"
        ]
    );
}

#[test]
fn packages_of_two_commits_are_not_mixed() {
    let tree = Tree::new("commits");
    assert!(succeeded(&tree.run("release", &["linux", "source"], &[])));
    tree.write("docs/a.md", "more\n");
    tree.commit("documents");
    tree.write("target/packages/notes", "mine\n");
    let output = tree.run("release", &["source"], &[]);
    assert!(succeeded(&output));
    // What is no release is made, and said not to be one.
    assert!(String::from_utf8_lossy(&output.stderr).contains("no tag v1.2.3"));
    let sums = tree.read("target/packages/SHA256SUMS");
    assert!(sums.ends_with("  kagetsu-1.2.3.crate\n") && sums.lines().count() == 1, "{sums}");
    assert!(!tree.path("target/packages/kagetsu-1.2.3-linux-x86_64.tar.gz").exists());
    assert!(tree.path("target/packages/notes").exists());
    // Of one commit, packages may be made one after the other.
    assert!(succeeded(&tree.run("release", &["linux"], &[])));
    assert_eq!(tree.read("target/packages/SHA256SUMS").lines().count(), 3);
    // Where one fails, no sums stand for what is left.
    tree.write("signature", "8");
    assert!(!succeeded(&tree.run("release", &["linux"], &[])));
    assert!(!tree.path("target/packages/SHA256SUMS").exists());
}

#[test]
fn no_program_is_packed_that_is_not_as_promised() {
    let tree = Tree::new("promises");
    let here = tree.folder.path().display().to_string();
    for (name, text, said) in [
        ("signature", "8", "has the signature 8"),
        ("glibc", "2.38", "needs glibc 2.38"),
        ("inside", here.as_str(), "contains the path"),
    ] {
        let before = tree.read(name);
        tree.write(name, text);
        let output = tree.run("release", &["linux"], &[]);
        assert!(!output.status.success(), "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{name}");
        assert!(!tree.path("target/packages/kagetsu-1.2.3-linux-x86_64.tar.gz").exists(), "{name}");
        tree.write(name, &before);
    }
    assert!(succeeded(&tree.run("release", &["linux"], &[])));
}

#[test]
fn folders_may_be_relative_and_changes_uncommitted() {
    if !has_web() {
        return;
    }
    let tree = Tree::new("relative");
    tree.write("src/lib.rs", "changed\n");
    let variables = [("KAGETSU_UNCOMMITTED", "1"), ("KAGETSU_PACKAGES", "out")];
    assert!(succeeded(&tree.run("release", &["web", "source"], &variables)));
    assert!(tree.read("out/kagetsu-1.2.3-web.zip").contains("kagetsu-1.2.3-web/kagetsu.wasm"));
    assert!(tree.read("out/SHA256SUMS").contains("kagetsu-1.2.3.crate"));

    for name in ["wine64", "wineserver64", "x86_64-w64-mingw32-gcc"] {
        tree.program(&format!("tools/{name}"), NOTHING);
    }
    tree.write("docs/kagetsu.exe", "program\n");
    let mut windows = tree.command(&tree.path("packaging/windows"));
    windows.args(["kagetsu.exe", "systems"]).current_dir(tree.path("docs"));
    assert!(succeeded(&windows.output().unwrap()));
    assert_eq!(Path::new(tree.read("engine").trim_end()), tree.path("docs/kagetsu.exe"));
}

#[test]
fn another_target_folder_is_minded() {
    if !has_web() {
        return;
    }
    let tree = Tree::new("target");
    // Programs from before lie where they would be otherwise.
    for name in ["web/target/wasm32-wasip1/release/kagetsu_web.wasm", "target/release/kagetsu"] {
        tree.write(name, "old\n");
    }
    tree.write(
        "distributed/openbench/Makefile",
        &fs::read_to_string(source("distributed/openbench/Makefile")).unwrap(),
    );
    let other = tree.path("other");
    let mut web = tree.command(&tree.path("web/build.sh"));
    assert!(succeeded(&web.env("CARGO_TARGET_DIR", &other).output().unwrap()));
    assert!(tree.read("web/dist/kagetsu.wasm").starts_with("built"));
    let mut make = tree.command(Path::new("make"));
    make.args(["-C", "distributed/openbench", "EXE=../../engine"]).env("CARGO_TARGET_DIR", &other);
    assert!(succeeded(&make.output().unwrap()));
    assert!(tree.read("engine").contains("signature"));
}

#[test]
fn a_merge_runs_where_and_for_whom_the_shards_do() {
    let tree = Tree::new("slurm");
    tree.program("tools/sbatch", SBATCH);
    tree.program(
        "tools/kagetsu",
        "#!/bin/bash\n[ \"$2\" != show ] || echo '{\"shards\":3}'\n[ \"$2\" != run ] || echo \"$*\"\n",
    );
    let mut submit = tree.command(&source("distributed/slurm/submit.sh"));
    submit.args(["job.json", "results", "merged"]);
    submit.args([
        "-p",
        "cpu",
        "--mem=1G",
        "--account=club",
        "--time",
        "60",
        "--qos",
        "long",
        "--cpus-per-task=4",
    ]);
    let output = submit.output().unwrap();
    assert!(succeeded(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("3 shards in 3 tasks: array 17, merge 17;"));
    let submitted = tree.read("submitted");
    let (array, merge) = submitted.split_once('\n').unwrap();
    assert!(
        array.contains(" --array=0-2 ") && array.contains(" --time 60 --qos long --cpus-per-task=4 "),
        "{array}"
    );
    assert!(merge.contains(" --dependency=afterany:17 "), "{merge}");
    assert!(merge.contains("merge.txt -p cpu --account=club --qos long --clusters=far "), "{merge}");

    // And a shard plays as many games at a time as it has processors.
    let mut shard = tree.command(&source("distributed/slurm/shards.sbatch"));
    shard.envs([("KAGETSU", "kagetsu"), ("JOB", "job.json"), ("TASKS", "3"), ("RESULTS", "results")]);
    let output = shard.env("SLURM_CPUS_PER_TASK", "4").output().unwrap();
    assert!(succeeded(&output) && String::from_utf8_lossy(&output.stdout).contains("--threads 4"));
}

/// The versions of each library that a Cargo.lock names.
fn libraries(lock: &str) -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(source(lock)).unwrap();
    let mut libraries: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for package in text.split("[[package]]").skip(1) {
        let [name, version] = ["name", "version"].map(|key| {
            let value = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            value.expect("packages have names and versions").trim_matches('"').to_owned()
        });
        libraries.entry(name).or_default().insert(version);
    }
    libraries
}

#[test]
fn the_board_without_a_server_and_the_fuzzed_readers_have_the_libraries_of_the_program() {
    if !has_web() {
        return;
    }
    let program = libraries("Cargo.lock");
    for lock in ["web/Cargo.lock", "fuzz/Cargo.lock"] {
        let shared: Vec<_> =
            libraries(lock).into_iter().filter(|(name, _)| program.contains_key(name)).collect();
        assert!(shared.len() > 20, "{lock}: {shared:?}");
        for (name, versions) in shared {
            assert!(versions.is_subset(&program[&name]), "{lock}: {name} {versions:?}, {:?}", program[&name]);
        }
    }
}

#[test]
fn every_file_that_names_the_version_names_this_one() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("distributed/kubernetes/job.yaml", format!("image: kagetsu:{version}\n")),
        ("distributed/pyproject.toml", format!("\nversion = \"{version}\"\n")),
        ("distributed/Containerfile", format!(" -t kagetsu:{version} ")),
        ("docs/fleet.md", format!(" kagetsu:{version} job run ")),
        ("docs/release.md", format!(" kagetsu:{version} job run ")),
        ("CHANGELOG.md", format!("\n## {version} ")),
    ] {
        let text = fs::read_to_string(source(file)).unwrap();
        assert!(text.contains(&line), "{file}: {line}");
    }
    if has_web() {
        let web = fs::read_to_string(source("web/Cargo.toml")).unwrap();
        assert!(web.contains(&format!("\nversion = \"{version}\"\n")), "{web}");
    }
}
