#!/usr/bin/env bash
# How much longer a match takes in shards than as the plain command, both on two cores, by the clock on the wall. The
# two take turns, so that a machine that slows down slows both. Nothing else should run meanwhile.
#
#   KAGETSU=target/release/kagetsu distributed/measure.sh
#
# GAMES, NODES a move, PAIRS in a shard and ROUNDS may be set. The default takes some ten minutes.
set -euo pipefail

here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
kagetsu=$(realpath "${KAGETSU:-$here/../target/release/kagetsu}")
games=${GAMES:-128} nodes=${NODES:-10000} pairs=${PAIRS:-16} rounds=${ROUNDS:-5}
work=$(mktemp -d /tmp/kagetsu-measure-XXXXXX)
trap 'rm -rf "$work"' EXIT
cd "$work"

play=(match -e name=one -e name=two --nodes "$nodes" --openings random --seed 1 --games "$games")
"$kagetsu" job plan job.json --shard-size "$pairs" "${play[@]}"
shards=$("$kagetsu" job show job.json --json | sed 's/.*"shards":\([0-9]*\).*/\1/')

plain() { "$kagetsu" "${play[@]}" --concurrency 2 --quiet --out plain > /dev/null; }
sharded() {
    seq 0 $((shards - 1)) | xargs -P 2 -I{} "$kagetsu" job run job.json --shard {} --out shards > /dev/null
    "$kagetsu" job merge job.json shards --out merged > /dev/null
}
seconds() {
    local before
    before=$(date +%s.%N)
    "$1"
    awk -v before="$before" -v after="$(date +%s.%N)" 'BEGIN { printf "%.2f\n", after - before }'
}
median() { sort -n "$1" | awk '{ all[NR] = $1 } END { printf "%.2f", (all[int((NR + 1) / 2)] + all[int(NR / 2) + 1]) / 2 }'; }

for ((round = 1; round <= rounds; round++)); do
    rm -rf plain shards merged
    # Who begins changes.
    if ((round % 2)); then order="plain sharded"; else order="sharded plain"; fi
    for what in $order; do seconds "$what" >> "$what.txt"; done
    echo "round $round: plain $(tail -n 1 plain.txt) s, in $shards shards $(tail -n 1 sharded.txt) s"
done
awk -v plain="$(median plain.txt)" -v sharded="$(median sharded.txt)" \
    'BEGIN { printf "medians: plain %.2f s, in shards %.2f s: %+.1f %%\n", plain, sharded, 100 * (sharded / plain - 1) }'
