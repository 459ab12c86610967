#!/usr/bin/env bash
# Builds with assertions and runs the default tests; then those of networks in a build without
# oneDNN, and those of messages and files under the address sanitizer. Options are handed on to
# ctest; with any, the default tests alone run.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

# build PRESET
build() {
  say "Building build/$1"
  cmake --preset "$1" --log-level=WARNING
  cmake --build --preset "$1" -j "$(build_jobs)"
}

# run_tests TEST_PRESET [options of ctest]
run_tests() {
  say "Testing: $1"
  ctest --preset "$1" -j "$(nproc)" "${@:2}"
}

install_packages "${build_packages[@]}" "${test_packages[@]}"

build dev
run_tests default "$@"
[ $# = 0 ] || exit 0

build portable
run_tests portable
build asan-units
run_tests asan-units
