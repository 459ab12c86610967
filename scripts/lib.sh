# shellcheck shell=bash disable=SC2034
# Shared by the scripts of this folder: packages, build jobs. Source it.

build_packages=(g++ cmake ninja-build openmpi-bin libopenmpi-dev libdnnl-dev libeigen3-dev
  nlohmann-json3-dev libboost-program-options-dev libfmt-dev libspdlog-dev zlib1g-dev libpng-dev
  libjpeg62-turbo-dev libhdf5-dev libsodium-dev libprotobuf-dev protobuf-compiler libjs-chart.js)
test_packages=(libgtest-dev libgmock-dev python3 python3-numpy clang-16 valgrind)

say() { printf '== %s\n' "$*"; }
# Prints the comment that the script begins with.
usage() { awk 'NR > 1 && !/^#/ {exit} NR > 1 {sub(/^# ?/, ""); print}' "$0"; }
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 2; }

is_debian_12() {
  # shellcheck disable=SC1091
  [ -r /etc/os-release ] && (. /etc/os-release && [ "${ID:-}/${VERSION_ID:-}" = debian/12 ])
}

# Names those of its arguments that are not installed.
missing_packages() {
  local installed
  installed="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)"
  for package in "$@"; do
    grep -qx "installed $package" <<<"$installed" || echo "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs what is missing of its arguments; calls apt only when something is.
install_packages() {
  if ! is_debian_12; then
    say "This is not Debian 12: untested here, and nothing gets installed. Going on with what is there."
    say "On Debian 12 these packages are used: $*"
    return
  fi
  say "Packages used: $*"
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} = 0 ]; then
    say "All of them are installed."
    return
  fi
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    fail "missing packages, and neither root nor sudo to install them. As root, run:
  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "Installing: ${missing[*]}"
  as_root apt-get -qq update
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y install --no-install-recommends "${missing[@]}"
}

# As many compilers at once as there are cores and, at 1.5 GB each, memory.
build_jobs() {
  local by_memory cores
  cores="$(nproc)"
  by_memory="$(awk '/^MemAvailable/ {print int($2 / 1500000)}' /proc/meminfo)"
  [ "$by_memory" -ge 1 ] || by_memory=1
  echo $((by_memory < cores ? by_memory : cores))
}
