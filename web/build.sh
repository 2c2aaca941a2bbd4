#!/bin/sh
# Makes the board in the browser as static files, which any server can hand out, in web/dist or in the folder that is
# named: web/build.sh [FOLDER]. Needs Rust's target wasm32-wasip1, which it adds. Flags for the compiler in
# CARGO_ENCODED_RUSTFLAGS join those that it needs.
set -eu
# Where the caller stands, and not where this goes next.
case ${1:-} in
    "" | /*) dist=${1:-dist} ;;
    *) dist=$PWD/$1 ;;
esac
cd "$(dirname "$0")"
[ ! -e "$dist" ] || [ -e "$dist/kagetsu.wasm" ] || { echo "$dist is there, and is no board: name another folder" >&2; exit 1; }
rustup target list --installed | grep -q '^wasm32-wasip1$' || rustup target add wasm32-wasip1
target=${CARGO_TARGET_DIR:-target}
# Flags in the environment stand in place of those in .cargo/config.toml, so all of them are here.
between=$(printf '\037')
flags="-Clink-arg=-zstack-size=33554432${CARGO_ENCODED_RUSTFLAGS:+$between$CARGO_ENCODED_RUSTFLAGS}"
CARGO_ENCODED_RUSTFLAGS="-Ctarget-feature=+simd128$between$flags" cargo build --release --locked --target-dir "$target"
# The same without vectors, for the few browsers that have none.
CARGO_ENCODED_RUSTFLAGS=$flags cargo build --release --locked --target-dir "$target/plain"
rm -rf "$dist"
mkdir -p "$dist/page"
cp "$target/wasm32-wasip1/release/kagetsu_web.wasm" "$dist/kagetsu.wasm"
cp "$target/plain/wasm32-wasip1/release/kagetsu_web.wasm" "$dist/kagetsu-plain.wasm"
cp -R ../src/gui/page/. "$dist/"
cp ../src/page/* "$dist/page/"
cp web.js worker.js wasi.js manifest.json "$dist/"
# The page talks to workers instead of a socket: this script stands before its own. It can be installed as an app.
sed -i.old 's|<script type="module" src="main.js">|<link rel="manifest" href="manifest.json"><script src="web.js"></script>&|' \
    "$dist/index.html"
rm "$dist/index.html.old"
grep -q 'src="web.js"' "$dist/index.html" || { echo "index.html does not load main.js as this script expects" >&2; exit 1; }
# What is there without a network: all that the page loads, each file with its SHA-256. The page itself is asked for by the
# name of its folder.
sums() { if command -v sha256sum > /dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
files=$(cd "$dist" && find . -type f | LC_ALL=C sort | while read -r file; do sums "$file"; done)
{
    printf 'const BUILD = "%s";\nconst FILES = [\n' "$(printf '%s\n' "$files" | cksum | cut -d ' ' -f 1)"
    printf '%s\n' "$files" | sed 's|^\([0-9a-f]*\)  \./\(.*\)$|  ["\2", "\1"],|; s|"index\.html"|"./"|'
    printf '];\n'
    cat offline.js
} > "$dist/offline.js"
cp ../LICENSE-MIT ../LICENSE-APACHE "$dist/"
cp ../packaging/third-party.txt "$dist/THIRD-PARTY.txt"
# What a server that compresses hands out.
echo "dist: $(gzip -9 < "$dist/kagetsu.wasm" | wc -c) bytes of WebAssembly, compressed"
echo "dist: $(gzip -9 < "$dist/kagetsu-plain.wasm" | wc -c) bytes without vectors, compressed"
echo "dist: $(tar -cf - -C "$dist" . | gzip -9 | wc -c) bytes in all, compressed"
