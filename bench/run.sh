#!/usr/bin/env bash
# One table of what the program's work costs on this machine: each part, its floor, what it took,
# and the share. Floors are measured in the same run (bench/README.md says how).
#
#     bench/run.sh [BUILD]     the build's folder, build/release of this tree unless told
#
# It takes ten minutes of an otherwise idle machine. Starts of ranks are left out where there is no
# mpirun.
set -euo pipefail
bin=${1:-$(dirname "$0")/../build/release}/bin
if [ ! -x "$bin/bench_step" ]; then
  echo "bench/run.sh: no benchmarks in $bin; build the preset release first" >&2
  exit 1
fi

# rows NAME COMMAND...: the lines of a benchmark that have a floor, as rows of the table.
rows() {
  local name=$1
  shift
  "$@" | awk -v name="$name" '
    /:$/ { of = substr($0, 1, length($0) - 1); next }
    /^floor/ { whole = $2; next }
    match($0, /floor +[0-9.]+ m?s +(step|took)/) {
      part = substr($0, 1, 36)
      sub(/  .*/, "", part)
      split(substr($0, RSTART, RLENGTH), floor, " +")
      match($0, /(step|took) +[0-9.]+ m?s/)
      split(substr($0, RSTART, RLENGTH), took, " +")
      match($0, /[0-9.]+ % of its floor/)
      split(substr($0, RSTART, RLENGTH), share, " ")
      printf "%-18s %-36s %10s %s %10s %s %6s %%\n", name, part, floor[2], floor[3], took[2],
        took[3], share[1]
    }
    /^generation/ {
      printf "%-18s %-36s %10s s  %10s s  %6s %%\n", name, "a generation, " of, whole, $2, $4
    }'
}

# seconds NAME RANKS GRID: from the start of a program to the end of a generation of one batch.
seconds() {
  local folder start options=(--oversubscribe)
  [ "$(id -u)" -ne 0 ] || options+=(--allow-run-as-root)
  folder=$(mktemp -d)
  start=$(date +%s.%N)
  if ! mpirun "${options[@]}" -np "$2" "$bin/lipizz" --grid "$3" --generations 1 --quiet \
    --set data.batches_per_generation=1 --set score.n_samples_training=100 \
    --set score.n_samples=100 --output "$folder/run" > "$folder/log" 2>&1; then
    cat "$folder/log" >&2
    rm -rf "$folder"
    return 1
  fi
  awk -v name="$1" -v from="$start" -v to="$(date +%s.%N)" 'BEGIN {
    printf "%-18s %-36s %10s    %10.3f s\n", name, "start, one batch, scores and files", "", to - from }'
  rm -rf "$folder"
}

printf '%-18s %-36s %13s %13s %8s\n' "" part floor took share
rows "mlp, 100" "$bin/bench_step" mlp 100
rows "mlp-2d, 100" "$bin/bench_step" mlp-2d 100
rows "dcgan28, 64" "$bin/bench_step" dcgan28 64
rows "dcgan32, 64" "$bin/bench_step" dcgan32 64
rows "dcgan64, 64" "$bin/bench_step" dcgan64 64
rows "r3-tiny, 16" "$bin/bench_step" r3-tiny 16
rows "pix2pix, 1" "$bin/bench_step" pix2pix 1
rows "mlp, digits" "$bin/bench_generation"
rows "mlp" "$bin/bench_parts" mlp
rows "dcgan28" "$bin/bench_parts" dcgan28
if command -v mpirun > /dev/null; then
  seconds "5 ranks" 5 2x2
  seconds "17 ranks" 17 4x4
fi
