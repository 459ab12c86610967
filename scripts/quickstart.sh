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

prepare_open_mpi
output="runs/quickstart-$(date +%Y%m%d-%H%M%S)"
say "Training: mpirun -np 5 build/release/bin/lipizz --grid 2x2 --output $output $*"
mpirun -np 5 build/release/bin/lipizz --grid 2x2 --output "$output" "$@"

say "The run's folder: $PWD/$output"
say "Its sample sheet: $PWD/$output/samples/best.png"
