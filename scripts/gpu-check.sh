#!/usr/bin/env bash
# What can only be seen on a GPU, taken to a machine that has one and neither a network nor our packages.
#
#   scripts/gpu-check.sh pack [--max-size MiB] [FILE]   here: a finished build with its libraries as FILE (gpu-check.tar.gz)
#   ./gpu-check.sh run                                  there, in the unpacked folder: tests and benchmarks, one table
#   ./gpu-check.sh sanitize                             there: the operations under compute-sanitizer's memcheck and racecheck
#   ./gpu-check.sh peers [SECONDS]                      there: only PyTorch and JAX beside ours, in about 300 seconds; run ends with it
#
# CUDA's own libraries are not packed; the other side has them in /usr/local/cuda or on LD_LIBRARY_PATH. MPI is not needed.
# Peers are measured where python3 has torch; JAX may be missing.
set -euo pipefail

fail() { printf 'gpu-check.sh: %s\n' "$*" >&2; exit 2; }

# The programs' libraries but those that every machine has, newer ones perhaps, and CUDA's.
libraries_of() {
  ldd "$@" 2>/dev/null | awk '/=> \// {print $3}' | sort -u |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|libcuda[a-z]*|libcudnn[a-z_]*|libcublas[A-Za-z]*|ld-linux[^/]*)\.so' || true
}

pack() {
  local max_mib=64 file=gpu-check.tar.gz
  while [ $# -gt 0 ]; do
    case "$1" in
      --max-size) max_mib="${2:?--max-size needs a number of MiB}"; shift 2 ;;
      *) file="$1"; shift ;;
    esac
  done
  cd "$(dirname "$0")/.."
  # shellcheck source=scripts/lib.sh
  . scripts/lib.sh
  cmake --preset dev -DLIPIZZ_CUDA=ON
  cmake --build --preset dev -j "$(build_jobs)"
  local folder
  folder="$(mktemp -d)"
  trap 'rm -rf "$folder"' RETURN
  mkdir -p "$folder/gpu-check/bin" "$folder/gpu-check/lib"
  # One row for each test: its name, its program, the filter that picks it. Those of other frameworks are
  # left out, which read files of this tree.
  grep -v framework build/dev/gpu_tests.txt > "$folder/gpu-check/gpu_tests.txt"
  local tests
  mapfile -t tests < <(awk '{print "build/dev/" $2}' "$folder/gpu-check/gpu_tests.txt" | sort -u)
  cp "${tests[@]}" build/dev/bin/lipizz build/dev/bin/bench_cells build/dev/bin/device_probe \
    "$folder/gpu-check/bin"
  # shellcheck disable=SC2046
  cp $(libraries_of "$folder"/gpu-check/bin/* build/dev/lib/liblipizz_cuda.so) "$folder/gpu-check/lib"
  cp build/dev/lib/liblipizz_cuda.so "$folder/gpu-check/lib"
  cp scripts/gpu-check.sh "$folder/gpu-check"
  mkdir "$folder/gpu-check/peers"
  cp bench/cells_{peers,common,torch,jax}.py bench/{dcgan,step}_torch.py "$folder/gpu-check/peers"
  strip --strip-debug "$folder"/gpu-check/bin/* "$folder"/gpu-check/lib/*
  tar -C "$folder" -czf "$file" gpu-check
  local mib=$(($(stat -c %s "$file") / 1048576))
  [ "$mib" -le "$max_mib" ] || fail "$file has $mib MiB, at most $max_mib are wanted; it stays where it is"
  printf 'packed %s, %s MiB\n' "$file" "$mib"
}

# One line: what ran, how it ended, how long it took. It has limit_s seconds, 120 unless set.
row() {
  local name="$1" begin ended="passed"
  shift
  begin="$(date +%s%N)"
  timeout "${limit_s:-120}" "$@" > "log/$name.txt" 2>&1 || ended="FAILED ($?)"
  printf '%-28s %-14s %6d ms\n' "$name" "$ended" $((($(date +%s%N) - begin) / 1000000))
  [ "$ended" = passed ]
}

enter() {
  cd "$(dirname "$0")"
  mkdir -p log
  path_of_peers="${LD_LIBRARY_PATH:-}"  # they bring libraries of their own
  export LIPIZZ_PLUGIN_DIR="$PWD/lib" LIPIZZ_TEST_DEVICE=cuda
  export LD_LIBRARY_PATH="$PWD/lib:/usr/local/cuda/lib64:${LD_LIBRARY_PATH:-}"
  local missing
  missing="$(bin/device_probe /bin/true)" || fail "$missing"
}

# Some compile for minutes, so that a form may be given up when the seconds are over.
peers() {
  local seconds="${1:-300}" ended=0
  if ! LD_LIBRARY_PATH="$path_of_peers" python3 -c 'import torch' 2> log/peers.txt; then
    printf '%-28s skipped: python3 has no torch\n' peers
    return
  fi
  limit_s=$((seconds + 180)) row peers env LD_LIBRARY_PATH="$path_of_peers" python3 -u peers/cells_peers.py bin/bench_cells \
    --library-path "$LD_LIBRARY_PATH" --seconds "$seconds" || ended=1
  cat log/peers.txt
  return "$ended"
}

run() {
  enter
  local failed=0 test
  local program filter
  while read -r test program filter; do
    row "$test" "bin/${program##*/}" "--gtest_filter=$filter" < /dev/null || failed=1
  done < gpu_tests.txt
  local model precision
  for precision in f32 tf32 bf16; do
    row "checked-$precision" bin/lipizz --device check --set "precision=$precision" --dataset glyphs \
      --set model=dcgan28 --grid 1x1 --generations 1 --set data.max_samples=640 \
      --set score.n_samples=100 --set score.n_samples_training=50 --output "log/run-$precision" || failed=1
  done
  row grid bin/lipizz --device cuda --grid 4x4 --generations 2 --output log/run-cuda || failed=1
  row grid-on-both bin/lipizz --device cuda+cpu --grid 4x4 --generations 2 --output log/run-both || failed=1
  row grid-on-cores bin/lipizz --device cpu --grid 4x4 --generations 2 --output log/run-cpu || failed=1
  for model in "mlp 100 16" "mlp 100 1" "dcgan28 128 1" "dcgan64 64 1" "dcgan64 64 1 tf32" "dcgan64 64 1 bf16"; do
    # shellcheck disable=SC2086
    row "cells-${model// /-}" bin/bench_cells cuda $model || failed=1
    cat "log/cells-${model// /-}.txt"
  done
  peers || failed=1
  return "$failed"
}

sanitize() {
  enter
  local tool failed=0
  PATH="$PATH:/usr/local/cuda/bin"
  command -v compute-sanitizer > log/sanitizer.txt || fail "compute-sanitizer is not installed"
  for tool in memcheck racecheck; do
    limit_s=280 row "$tool" compute-sanitizer --tool "$tool" --error-exitcode 1 bin/test_nn.graph --gtest_filter='Operations.*' || failed=1
  done
  return "$failed"
}

case "${1:-}" in
  pack) shift; pack "$@" ;;
  run) run ;;
  sanitize) sanitize ;;
  peers) shift; enter; peers "$@" ;;
  *) fail "expected pack, run, sanitize or peers; its first lines say more" ;;
esac
