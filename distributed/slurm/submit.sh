#!/usr/bin/env bash
# Does a job on a Slurm cluster: an array of shards, and a merge that waits for it.
#
#   submit.sh JOB RESULTS OUT [options of sbatch for the shards, such as --partition=cpu --time=1:00:00]
#
# RESULTS and OUT are on a file system that all nodes share. Shards that are done are not done again, so the same
# command resumes after whatever went wrong. KAGETSU names the program, which all nodes must have too. KAGETSU_TASKS is
# the size of the array, 1000 unless set; where there are more shards, a task does several. With --cpus-per-task=N a
# task plays N games at a time, which --mem must have room for: one gets 600M. The merge gets only those of the options
# that say where and for whom it runs.
set -euo pipefail

[ $# -ge 3 ] || { echo "usage: submit.sh JOB RESULTS OUT [options of sbatch]" >&2; exit 2; }
job=$(realpath "$1") results=$(realpath -m "$2") out=$(realpath -m "$3")
shift 3
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
KAGETSU=$(realpath "${KAGETSU:-$(command -v kagetsu || echo target/release/kagetsu)}")
[ -x "$KAGETSU" ] || { echo "$KAGETSU cannot be run: set KAGETSU to the program" >&2; exit 1; }

shards=$("$KAGETSU" job show "$job" --json | sed 's/.*"shards":\([0-9]*\).*/\1/')
tasks=$((shards < ${KAGETSU_TASKS:-1000} ? shards : ${KAGETSU_TASKS:-1000}))
mkdir -p "$results/log"
export KAGETSU JOB=$job RESULTS=$results OUT=$out TASKS=$tasks

# The options that hold for the merge too: where and for whom jobs run, not what the shards need.
place=()
is_value=
for word in "$@"; do
    if [ -n "$is_value" ]; then
        place+=("$word")
        is_value=
        continue
    fi
    case $word in
        --account | --partition | --qos | --reservation | --wckey | -[Apq])
            place+=("$word")
            is_value=yes
            ;;
        --account=* | --partition=* | --qos=* | --reservation=* | --wckey=* | -[Apq]?*) place+=("$word") ;;
    esac
done

# To sbatch, % begins a name for something.
log=${results//%/%%}/log
array=$(sbatch --parsable --array="0-$((tasks - 1))" --output="$log/%a.txt" --requeue "$@" "$here/shards.sbatch")
# On a cluster of several, the answer is `number;cluster`, and only there the merge can wait for the array.
case $array in *";"*) place+=("--clusters=${array#*;}") ;; esac
array=${array%%;*}
# After any end of the shards: the merge says which are missing.
merge=$(sbatch --parsable --dependency="afterany:$array" --output="$log/merge.txt" "${place[@]}" \
    "$here/merge.sbatch")
merge=${merge%%;*}
echo "$shards shards in $tasks tasks: array $array, merge $merge; logs in $results/log"
