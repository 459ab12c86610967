#!/usr/bin/env bash
# What can only be seen on a GPU, taken to a machine that has one and neither a network nor our packages.
#
#   scripts/gpu-check.sh pack [--build FOLDER] [--max-size MiB] [FOLDER]
#       here: a finished build with its libraries, and this script, in FOLDER (build/gpu-check, which git ignores); with
#       --max-size no more than so many MiB together with the tree, when both have to travel
#   gpu-check.sh run [RESULTS]       there, in FOLDER: tests, checked runs, whole runs, benchmarks
#   gpu-check.sh sanitize [RESULTS]  there: operations and steps under compute-sanitizer
#   gpu-check.sh profile [RESULTS]   there: where the time of steps goes, by operation, with Nsight Compute
#   gpu-check.sh peers [RESULTS]     there: PyTorch and JAX beside ours, where python3 has them
#   gpu-check.sh plan                anywhere: the steps of those four with the seconds that each may take; runs nothing
#
# Each of the four ends within the seconds that `plan` tells, and writes a line to RESULTS/VERB.txt as soon as it knows
# it; RESULTS/VERB.log has what the steps print. RESULTS is ./results unless named. CUDA's own libraries are not packed;
# they are found where docs/gpu.md says. MPI is not needed.
set -euo pipefail

run_s=420 sanitize_s=180 profile_s=150 peers_s=420

fail() { printf 'gpu-check.sh: %s\n' "$*" >&2; exit 2; }

# The programs' libraries but those that every machine has, newer ones perhaps.
libraries_of() {
  ldd "$@" 2>/dev/null | awk '/=> \// {print $3}' | sort -u |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so' || true
}

mib_of() { du -cm --apparent-size "$@" | awk 'END {print $1}'; }

mib_of_tree() {
  git ls-files -z --cached --others --exclude-standard | du -cb --files0-from=- 2>/dev/null |
    awk 'END {print int($1 / 1048576) + 1}'
}

# The classifier that scores images takes half a minute to train, unless the tests have done so: it goes along.
pack_judge() {
  XDG_CACHE_HOME="$1/cache" LIPIZZ_PLUGIN_DIR="$1/lib" "$1/bin/lipizz" --quiet --grid 1x1 --generations 1 \
    --set data.max_samples=100 --set score.n_samples=100 --output "$1/judge-run" > /dev/null
  rm -r "$1/judge-run"
}

pack() {
  local max_mib=0 build=build/dev to=build/gpu-check
  while [ $# -gt 0 ]; do
    case "$1" in
      --max-size) max_mib="${2:?--max-size needs a number of MiB}"; shift 2 ;;
      --build) build="${2:?--build needs a folder}"; shift 2 ;;
      *) to="$1"; shift ;;
    esac
  done
  cd "$(dirname "$0")/.."
  # shellcheck source=scripts/lib.sh
  . scripts/lib.sh
  cmake --preset dev -B "$build" -DLIPIZZ_CUDA=ON
  # One row for each test: its name, its program, the filter that picks it. Those of other frameworks are
  # left out, which read files of this tree.
  local rows programs
  rows="$(grep -v framework "$build/gpu_tests.txt")"
  mapfile -t programs < <(awk '{print $2}' <<< "$rows" | sort -u)
  cmake --build "$build" -j "$(build_jobs)" --target lipizz lipizz_cuda bench_cells device_probe "${programs[@]##*/}"
  local work folder
  work="$(mktemp -d)"
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" EXIT
  folder="$work/gpu-check"
  mkdir -p "$folder/bin" "$folder/lib" "$folder/peers" "$to"
  printf '%s\n' "$rows" > "$folder/gpu_tests.txt"
  cp "${programs[@]/#/$build/}" "$build"/bin/{lipizz,bench_cells,device_probe} "$folder/bin"
  # shellcheck disable=SC2046
  cp $(libraries_of "$folder"/bin/* "$build/lib/liblipizz_cuda.so") "$build/lib/liblipizz_cuda.so" "$folder/lib"
  cp bench/cells_{peers,common,torch,jax}.py bench/{dcgan,step}_torch.py "$folder/peers"
  strip --strip-debug "$folder"/bin/* "$folder"/lib/*
  cp bench/kernel_times.py "$folder/bin"
  [ ! -d "$build/cache" ] || cp -r "$build/cache" "$folder/cache"
  pack_judge "$folder"
  cp scripts/gpu-check.sh "$to"
  tar -C "$work" -czf "$to/gpu-check.tar.gz" gpu-check
  local mib tree
  mib="$(mib_of "$to")" tree="$(mib_of_tree)"
  printf 'packed %s: %s MiB, beside %s MiB of the tree\n' "$to" "$mib" "$tree"
  [ "$max_mib" = 0 ] || [ $((mib + tree)) -le "$max_mib" ] || fail "together that is more than $max_mib MiB"
}

now_ms() { date +%s%3N; }

# Seconds that are left of the verb, and of the part of it that is going on.
left_s() {
  local end="$end_ms"
  [ "$part_end_ms" -ge "$end" ] || end="$part_end_ms"
  echo $(((end - $(now_ms)) / 1000))
}

# The rows that follow have so many seconds together.
part() {
  if [ -n "$is_plan" ]; then tell '  no more than %s s for' "$1"; return; fi
  part_end_ms=$(($(now_ms) + $1 * 1000))
}

# A line of the table.
tell() {
  local line
  # shellcheck disable=SC2059
  printf -v line "$@"
  printf '%s\n' "$line"
  [ -n "$is_plan" ] || printf '%s\n' "$line" >> "$results/$verb.txt"
}

# One line: what ran, how it ended, how long it took; after it the last lines of what it printed where it failed, or where
# `shows` asks for so many. A row has limit_s seconds, 60 unless set, and no more than are left.
row() {
  local name="$1" begin left limit="${limit_s:-60}" ended=passed
  shift
  if [ -n "$is_plan" ]; then tell '    %-28s %4d s' "$name" "$limit"; return; fi
  left="$(left_s)"
  [ "$left" -ge "$limit" ] || limit="$left"
  if [ "$limit" -lt 1 ]; then
    tell '%-28s not begun: no time is left' "$name"
    failed=1
    return
  fi
  begin="$(now_ms)"
  timeout -k 5 "$limit" "$@" < /dev/null > "$scratch/output" 2>&1 || ended="FAILED ($?)"
  tell '%-28s %-14s %7d ms of %d s' "$name" "$ended" $(($(now_ms) - begin)) "$limit"
  { printf '== %s: %s\n' "$name" "$*"; tail -c 200000 "$scratch/output"; } >> "$results/$verb.log"
  [ "$ended" = passed ] || { failed=1; shows=10; }
  [ "${shows:-0}" = 0 ] || tell '%s' "$(tail -n "$shows" "$scratch/output" | sed 's/^/  | /')"
}

# Where the packed files are: beside this script, or in the archive beside it.
enter_folder() {
  results="$(realpath -m "$results")"
  cd "$(dirname "$0")"
  if [ ! -d bin ]; then
    [ -f gpu-check.tar.gz ] || fail "there is neither bin/ nor gpu-check.tar.gz beside $0; make it with scripts/gpu-check.sh pack"
    tar -C "$scratch" -xzf gpu-check.tar.gz
    cd "$scratch/gpu-check"
  fi
  mkdir -p "$results"
  : > "$results/$verb.txt"
  : > "$results/$verb.log"
}

# For a verb that has so many seconds from its very beginning.
enter() {
  local seconds="$1"
  failed=0
  if [ -n "$is_plan" ]; then
    tell '%s: at most %s s' "$verb" "$seconds"
    return
  fi
  end_ms=$(($(now_ms) + seconds * 1000)) part_end_ms=$end_ms
  scratch="$(mktemp -d)"
  trap 'rm -rf "$scratch"' EXIT
  enter_folder
  path_of_peers="${LD_LIBRARY_PATH:-}"  # they bring libraries of their own
  export LIPIZZ_PLUGIN_DIR="$PWD/lib" LIPIZZ_TEST_DEVICE=cuda XDG_CACHE_HOME="$PWD/cache"
  export LD_LIBRARY_PATH="$PWD/lib:${LD_LIBRARY_PATH:-}"
  local found
  if ! found="$(timeout 60 bin/device_probe /bin/true 2>&1)"; then
    tell 'no GPU: %s' "${found:-no answer in 60 s}"
    exit 2
  fi
  tell '%s' "$(timeout 20 nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>&1 | head -n 1)"
}

run() {
  enter "$run_s"
  local test program filter precision model
  part 210
  while read -r test program filter; do
    row "$test" "bin/${program##*/}" "--gtest_filter=$filter"
  done < <(if [ -n "$is_plan" ]; then echo each-unit-test; else cat gpu_tests.txt; fi)
  part 90
  for precision in f32 tf32 bf16; do
    row "checked-$precision" bin/lipizz --device check --set "precision=$precision" --dataset glyphs \
      --set model=dcgan28 --grid 1x1 --generations 1 --set data.max_samples=640 \
      --set score.n_samples=100 --set score.n_samples_training=50 --output "$scratch/checked-$precision"
  done
  part 110
  for model in "mlp 100 16" "mlp 100 1" "mlp 100 16 tf32" "dcgan28 128 1" "dcgan64 64 1 bf16" "dcgan64 64 1 tf32" "dcgan64 64 1"; do
    # shellcheck disable=SC2086
    shows=2 limit_s=30 row "cells-${model// /-}" bin/bench_cells cuda $model
  done
  part "$run_s"
  row grid bin/lipizz --device cuda --grid 4x4 --generations 2 --output "$scratch/cuda"
  row grid-on-both bin/lipizz --device cuda+cpu --grid 4x4 --generations 2 --output "$scratch/both"
  row grid-on-cores bin/lipizz --device cpu --grid 4x4 --generations 2 --output "$scratch/cpu"
}

sanitize() {
  enter "$sanitize_s"
  PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin"
  [ -n "$is_plan" ] || command -v compute-sanitizer > /dev/null || fail "compute-sanitizer is not installed"
  local tool
  for tool in memcheck racecheck synccheck; do
    limit_s=60 row "$tool" compute-sanitizer --tool "$tool" --error-exitcode 1 bin/test_nn.graph --gtest_filter='Operations.*'
  done
  limit_s=60 row memcheck-conformance compute-sanitizer --tool memcheck --error-exitcode 1 bin/test_nn.graph \
    --gtest_filter='*Conformance*'
  limit_s=60 row memcheck-steps compute-sanitizer --tool memcheck --error-exitcode 1 bin/test_nn.train --gtest_filter='GanStep*'
}

profile() {
  enter "$profile_s"
  [ -n "$is_plan" ] || command -v ncu > /dev/null || fail "ncu (Nsight Compute) is not installed"
  local model
  for model in "mlp 100 16" "dcgan64 64 1" "dcgan64 64 1 bf16" "r3-tiny 64 4"; do
    # shellcheck disable=SC2086
    shows=12 limit_s=40 row "kernels-${model// /-}" python3 bin/kernel_times.py bin/bench_cells cuda $model
  done
}

# Some compile for minutes: after 130 s none is begun any more, and what is known is printed.
peers() {
  enter "$peers_s"
  if [ -z "$is_plan" ] && ! LD_LIBRARY_PATH="$path_of_peers" timeout 90 python3 -c 'import torch' > /dev/null 2>&1; then
    tell 'skipped: python3 has no torch'
    return
  fi
  local problem
  for problem in mlp dcgan; do
    shows=40 limit_s=200 row "peers-$problem" env LD_LIBRARY_PATH="${path_of_peers:-}" python3 -u peers/cells_peers.py bin/bench_cells \
      --problem "$problem" --library-path "${LD_LIBRARY_PATH:-}" --seconds 130
  done
}

verb="${1:-}" results="${2:-results}" is_plan="" scratch=""
case "$verb" in
  pack) shift; pack "$@" ;;
  run | sanitize | profile | peers) "$verb"; exit "$failed" ;;
  plan)
    is_plan=yes
    for verb in run sanitize profile peers; do "$verb"; done ;;
  *) fail "expected pack, run, sanitize, profile, peers or plan; its first lines say more" ;;
esac
