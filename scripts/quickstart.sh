#!/usr/bin/env bash
# From a bare Debian 12 to a trained grid. Options are handed on to lipizz.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

install_packages "${build_packages[@]}"

say "Building build/release/bin/lipizz"
cmake --preset release --log-level=WARNING
cmake --build --preset release --target lipizz -j "$(build_jobs)"

say "Training: build/release/bin/lipizz launch $*"
exec build/release/bin/lipizz launch "$@"
