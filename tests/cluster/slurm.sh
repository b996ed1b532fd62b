#!/usr/bin/env bash
# Tunes on a real SLURM: slurmctld and slurmd on this machine's loopback, with a configuration of their own.
#
#   tests/cluster/slurm.sh             run; skipped with a message if something is missing
#   tests/cluster/slurm.sh --install   install Debian's packages slurm-wlm, munge and openssl first
#
# It needs root and about eight minutes, in which little is computed. Nothing outside a temporary folder is
# written; set KEEP=1 to look at the folder afterwards.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
programs=$root/.venv/bin
export PATH=$programs:$PATH:/usr/sbin

skip() { echo "SKIPPED: the test on SLURM: $1"; exit 0; }
fail() { echo "FAILED: $1"; exit 1; }

[ "$(uname)" = Linux ] || skip "SLURM runs on Linux"
[ "$(id -u)" = 0 ] || skip "slurmd needs root"
if [ "${1:-}" = --install ]; then
  apt-get update > /dev/null && apt-get install --yes --no-install-recommends slurm-wlm munge openssl > /dev/null
fi
for program in slurmctld slurmd munged sbatch openssl; do
  command -v "$program" > /dev/null || skip "there is no $program (tests/cluster/slurm.sh --install)"
done
"$programs/python" -c 'import distributed' 2> /dev/null || skip "the extra dask is not installed"

# --- a SLURM of our own -------------------------------------------------------------------------------------
place=$(mktemp -d /tmp/tightrope-slurm.XXXXXX)
export SLURM_CONF=$place/slurm.conf
host=$(hostname -s)
port=$((20000 + RANDOM % 20000))

tidy_up() {
  local code=$?
  scancel --quiet --user=root 2> /dev/null || true
  for _ in $(seq 30); do [ -n "$(squeue --noheader 2> /dev/null)" ] || break; sleep 1; done
  for daemon in slurmd slurmctld munged; do
    [ ! -s "$place/$daemon.pid" ] || kill "$(cat "$place/$daemon.pid")" 2> /dev/null || true
  done
  [ "$code" = 0 ] || tail -n 12 "$place"/*/slurm-*.out || true
  sleep 1
  if [ -n "${KEEP:-}" ]; then echo "kept $place"; else rm -rf "$place"; fi
}
trap tidy_up EXIT

mkdir "$place/state" "$place/spool"
head -c 128 /dev/urandom > "$place/munge.key"
chmod 400 "$place/munge.key"
munged --force --socket="$place/munge.sock" --key-file="$place/munge.key" --pid-file="$place/munged.pid" \
  --log-file="$place/munged.log" --seed-file="$place/munge.seed"
cat > "$SLURM_CONF" << END
ClusterName=tightrope
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$place/munge.sock
CredType=cred/munge
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
SchedulerParameters=sched_interval=2,bf_interval=2,requeue_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 RealMemory=64000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES State=UP
END
slurmctld
slurmd

# --- what the tests use -------------------------------------------------------------------------------------
await() { # await SECONDS WHAT COMMAND...: until the command succeeds
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" > /dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || fail "$what"
    sleep 1
  done
}
state() { scontrol show job "$1" | grep -o 'JobState=[A-Z]*' | head -1 | cut -d= -f2; }
is() { [ "$(state "$1")" = "$2" ]; }
count() { # the number of runs in a run folder, which may not exist yet
  local program='import json, sys; print(json.load(sys.stdin)["runs"]["all"])'
  tightrope status --json "$1" 2> /dev/null | python -c "$program" 2> /dev/null || echo 0
}
has_run() { [ "$(count "$1")" -ge "$2" ]; }
submit() { sbatch --parsable "$@"; }
project() { # project NAME BUDGET SECONDS: a scenario whose runs sleep
  mkdir -p "$place/$1/train"
  cd "$place/$1"
  for size in 1 2 3 4 5 6; do head -c "$size" /dev/zero > "train/$size.txt"; done
  cat > scenario.toml << END
command = "sh cost.sh {x} {instance}"
instances = { train = "train/*.txt" }
cost = "wall"
ceiling = "5s"
memory = "200MB"
budget = { $2 }
tactics = { first_tasks = 4, n_design = 4 }

[params]
x = { type = "real", range = [0.0, 1.0], default = 0.9 }
END
  cat > cost.sh << END
exec sleep "\$(awk -v x="\$1" -v n="\$(wc -c < "\$2")" 'BEGIN { print $3 * (1 + 20 * (x - 0.3) ^ 2) * n }')"
END
}
passed() { echo "passed: $1 ($SECONDS s)"; }
await 60 "SLURM does not start" srun --ntasks=2 true
passed "SLURM $(sinfo --version | cut -d' ' -f2) runs jobs"

# --- the recipe, and what happens to it ---------------------------------------------------------------------
project simple 'runs = 60' 0.1
tightrope cluster slurm --workers 3 --time 30m > /dev/null
job=$(submit tune.sbatch)
await 240 "the job does not end" is "$job" COMPLETED
has_run runs/simple 60 || fail "the tuning has $(count runs/simple) runs, not 60"
grep -q "next:  tightrope" "slurm-$job.out" || fail "the tuning did not report its end"
passed "a tuning of 60 runs in one job"

project expiry 'runs = 350' 0.5
tightrope cluster slurm --workers 3 --time 3m --tls > /dev/null
job=$(submit tune.sbatch)
await 240 "no run is done" has_run runs/expiry 10
grep -q "tls://" runs/expiry/cluster/scheduler.json || fail "the connection is not encrypted"
passed "a tuning with encrypted connections"

workers=$(submit --array=1-2 --ntasks=1 --time=20 tune.sbatch join)
joined() { [ "$(cat runs/expiry/cluster/worker-*.log | grep -c 'Registered to')" -ge "$1" ]; }
await 120 "workers of a job array do not join" joined 5
passed "a job array of two workers joins later"
before=$(count runs/expiry)
scancel "${workers}_1"
await 60 "no run after a worker's job was cancelled" has_run runs/expiry $((before + 10))
is "$job" RUNNING || fail "the tuning ended with a worker's job: $(state "$job")"
passed "the tuning goes on when a worker's job is cancelled"

requeued() { [ "$(scontrol show job "$job" | grep -o 'Restarts=[0-9]*' | cut -d= -f2)" -ge 1 ]; }
await 300 "the job is not queued again before its time is up" requeued
ended() { [ -z "$(squeue --noheader --job "$workers" 2> /dev/null)" ]; }
await 90 "the worker that joined does not end with the tuning's job" ended
before=$(count runs/expiry)
grep -q "stopped; nothing lost" "slurm-$job.out" || fail "the tuning was not stopped tidily"
passed "when its time is up, the tuning stops after $before runs, and its job is queued again"
await 600 "the tuning is not resumed" is "$job" COMPLETED
has_run runs/expiry 350 || fail "the tuning has $(count runs/expiry) runs, not 350"
grep -q "^resuming runs/expiry" "slurm-$job.out" || fail "the tuning was not resumed"
done_runs() { # trials, each once, without those that were lost
  tightrope export runs/expiry --format csv 2> /dev/null | tail -n +2 | grep -vc ',lost,'
}
[ "$(done_runs)" -ge 350 ] || fail "$(done_runs) of 350 runs were not lost"
[ -z "$(tightrope export runs/expiry --format csv 2> /dev/null | cut -d, -f1 | sort | uniq -d)" ] ||
  fail "a run was recorded twice"
passed "it resumes by itself and ends with 350 runs, each once"

project nodes 'wall = "2m"' 0.3
tightrope cluster slurm --workers 2 --time 30m > /dev/null
job=$(submit tune.sbatch)
await 120 "no run is done" has_run runs/nodes 4
# The same machine, but its interpreter tracks allocations: this worker really computes slower.
PYTHONTRACEMALLOC=1 submit --array=1-1 --ntasks=1 tune.sbatch join > /dev/null
await 300 "the job does not end" is "$job" COMPLETED
grep -q "W02" "slurm-$job.out" || fail "the slower worker was not named"
passed "a slower worker is named: $(grep -o 'W02.*' "slurm-$job.out" | head -1)"

if grep -l "Traceback" "$place"/*/slurm-*.out; then fail "a traceback reached the output of a job"; fi
passed "no traceback reached the output of a job"
