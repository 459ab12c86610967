#!/usr/bin/env bash
# From a bare Debian 12 to a trained grid: installs what is missing, builds, and trains.
#
#   scripts/quickstart.sh [OPTIONS]
#
# Trains what configs/quickstart.json says: a small convolutional pair in each cell of a 2x2 grid, on
# the built-in digits. Options are handed on to `lipizz launch`: --grid 3x3 ...; with one of
# --config, --dataset and --resume (--dataset mnist --data-dir DIR) that file is left out.
# `build/release/bin/lipizz help launch` has all options once it is built.
set -euo pipefail
source_folder="$(dirname "$0")"
# shellcheck source=scripts/lib.sh
. "$source_folder/lib.sh"

# A build takes minutes, after which the program would say the same. Empty where the sources do not
# tell them; the program will.
known_options="$(sed -n 's/.*\(add(\|\.name = \)"\([a-z-]*\)".*/--\2/p' \
  "$source_folder/../src/app/options."[ch]pp 2>/dev/null || true)"
what=(--config configs/quickstart.json)
for argument in "$@"; do
  case "$argument" in
    --config | --config=* | --dataset | --dataset=* | --resume | --resume=*) what=() ;;
  esac
  case "$argument" in
    --) break ;; # what follows is for mpirun
    -h | --help) usage && exit 0 ;;
    --*)
      [ -z "$known_options" ] || grep -qx -e "${argument%%=*}" <<<"$known_options" ||
        fail "there is no option ${argument%%=*}; there are $(tr '\n' ' ' <<<"$known_options")"
      ;;
  esac
done
cd "$source_folder/.."

install_packages "${build_packages[@]}"

say "Building build/release/bin/lipizz"
cmake --preset release --log-level=WARNING
cmake --build --preset release --target lipizz -j "$(build_jobs)"

set -- "${what[@]}" "$@"
say "Training: build/release/bin/lipizz launch $*"
exec build/release/bin/lipizz launch "$@"
