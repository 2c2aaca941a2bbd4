#!/usr/bin/env bash
# Tests submit.sh against a real Slurm: controller, daemon and munge are started on this machine, as nobody's service,
# in a folder of their own. Needs root, and Debian's slurm-wlm and munge. Says so and ends with 77 where they are
# missing.
#
#   KAGETSU=target/release/kagetsu distributed/slurm/test.sh
set -euo pipefail

here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
KAGETSU=$(realpath "${KAGETSU:-$here/../../target/release/kagetsu}")
export KAGETSU
for program in slurmctld slurmd sbatch munged mungekey; do
    command -v "$program" > /dev/null || { echo "SKIPPED: there is no $program; install slurm-wlm and munge" >&2; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "SKIPPED: a Slurm of one's own needs root" >&2; exit 77; }

work=$(mktemp -d /tmp/kagetsu-slurm-XXXXXX)
daemons=()
end() {
    status=$?
    for daemon in "${daemons[@]}"; do kill "$daemon" 2> /dev/null || true; done
    wait
    if [ $status != 0 ]; then
        tail -n 15 "$work"/*.log "$work"/results/log/* 2> /dev/null >&2 || true
    fi
    rm -rf "$work"
    exit $status
}
trap end EXIT

chmod 755 "$work"
mkdir -p "$work/munge" "$work/state" "$work/spool"
chmod 755 "$work/munge"
mungekey --create --keyfile="$work/munge/key"
munged --foreground --force --socket="$work/munge/socket" --key-file="$work/munge/key" --log-file="$work/munged.log" \
    --pid-file="$work/munge/pid" --seed-file="$work/munge/seed" &
daemons+=($!)

# Ports that nobody uses: several runs may share a machine.
read -r control_port daemon_port < <(python3 -c '
import socket
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(one.getsockname()[1] for one in held))')
host=$(hostname -s)
export SLURM_CONF=$work/slurm.conf
cat > "$SLURM_CONF" << CONF
ClusterName=kagetsu
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$control_port
SlurmdPort=$daemon_port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=3
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=1500 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=side Nodes=ALL MaxTime=INFINITE State=UP
CONF
slurmctld -D > "$work/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd -D > "$work/slurmd.log" 2>&1 &
daemons+=($!)

wait_for() {
    local what=$1 seconds=$2
    shift 2
    for ((n = 0; n < 5 * seconds; n++)); do
        if "$@" > /dev/null 2>&1; then return; fi
        sleep 0.2
    done
    echo "waited $seconds s for $what" >&2
    return 1
}
is_idle() { sinfo --noheader --format=%T | grep -q idle; }
is_over() { [ -z "$(squeue --noheader)" ]; }
wait_for "the node" 30 is_idle

cd "$work"
"$KAGETSU" job plan job.json --shard-size 2 match -e "name=far nodes=150" -e "name=near nodes=50" --openings random \
    --seed 5 --size 11 --draw-after 60 --games 24
"$KAGETSU" job run job.json --out alone
"$KAGETSU" job merge job.json alone --out expected

# Fewer tasks than shards, on two processors; one task is shot.
export KAGETSU_TASKS=4
"$here/submit.sh" job.json results merged --mem=100M
first=$(squeue --noheader --format=%A | sort -n | head -n 1)
is_running() { squeue --noheader --states=RUNNING --format=%i | grep -q "${first}_3"; }
# It may be over before it is seen, on a machine with nothing else to do.
wait_for "task 3" 20 is_running || true
scancel --signal=KILL --full "${first}_3" || true
wait_for "the end" 60 is_over
if [ -e merged/games.jsonl ]; then echo "task 3 was faster than the shot"; fi

# The same command does what is missing, and the merge goes where the shards do. These play two games at a time.
said=$("$here/submit.sh" job.json results merged --mem=200M --partition=side --cpus-per-task=2)
scontrol show job "$(sed 's/.*merge \([0-9]*\);.*/\1/' <<< "$said")" | grep "Partition=side" > /dev/null
wait_for "the end" 60 is_over
cmp expected/games.jsonl merged/games.jsonl
[ -s merged/games.html ]
echo "the merged records are those of one machine, byte for byte"

# A program that crashes in one shard: the merge names it and makes nothing, and a sound program does the rest.
cat > crashing << PROGRAM
#!/usr/bin/env bash
if [ "\$2" = run ] && [ "\${SLURM_ARRAY_TASK_ID:-}" = 2 ]; then kill -SEGV \$\$; fi
exec "$KAGETSU" "\$@"
PROGRAM
chmod 755 crashing
export KAGETSU_TASKS=6
KAGETSU=$work/crashing "$here/submit.sh" job.json crashed crashed-merged --mem=100M
wait_for "the end" 60 is_over
grep -q "1 of 6 shards are missing: 2" crashed/log/merge.txt
[ ! -e crashed-merged/games.jsonl ]
"$here/submit.sh" job.json crashed crashed-merged --mem=100M
wait_for "the end" 60 is_over
cmp expected/games.jsonl crashed-merged/games.jsonl
echo "a shard that crashes is named, and done when the job is submitted again"

# A job of another build is refused with a status of its own, and leaves no games.
sed 's/"signature": /"signature": 9/' job.json > other.json
said=$("$here/submit.sh" other.json other other-merged --mem=100M)
wait_for "the end" 60 is_over
array=$(sed 's/.*array \([0-9]*\),.*/\1/' <<< "$said")
[ "$(scontrol show job "$array" | grep -c "ExitCode=12:0")" = 6 ]
grep -q "planned with another build" other/log/0.txt
[ -z "$(find other -name 'games.jsonl')" ]
echo "another build is refused"

# At the end of its time a shard is told so, gives up the game in progress, and goes on another time.
"$KAGETSU" job plan long.json match -e nodes=900000000 -e nodes=800000000 --games 2
"$here/submit.sh" long.json long long-merged --mem=300M --time=1
wait_for "the end of its time" 120 is_over
grep -q "interrupted; the same command resumes" long/log/0.txt
echo "a shard whose time is over is told, and can go on"
