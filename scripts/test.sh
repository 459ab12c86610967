#!/usr/bin/env bash
# Builds with assertions and runs the default tests. Options are handed on to ctest.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

install_packages "${build_packages[@]}" "${test_packages[@]}"

say "Building build/dev"
cmake --preset dev --log-level=WARNING
cmake --build --preset dev -j "$(build_jobs)"

say "Testing"
# One more than there are cores: many tests wait for ranks that are lost.
ctest --preset default -j "$(($(nproc) + 1))" "$@"
