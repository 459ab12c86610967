#!/usr/bin/env bash
# Downloads MNIST and Fashion-MNIST into FOLDER (default: $LIPIZZ_DATA_DIR) and checks every file
# against its SHA-256. Files that are there and right are kept, so it is safe to run again.
#
#   scripts/fetch-data.sh FOLDER [mnist] [fashion-mnist]
#
# MNIST_URL and FASHION_MNIST_URL name other places to download from.
set -euo pipefail
source_folder="$(dirname "$0")"
# shellcheck source=scripts/lib.sh
. "$source_folder/lib.sh"

mnist_url="${MNIST_URL:-https://ossci-datasets.s3.amazonaws.com/mnist}"
fashion_mnist_url="${FASHION_MNIST_URL:-http://fashion-mnist.s3-website.eu-central-1.amazonaws.com}"

mnist_sums="\
440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609 train-images-idx3-ubyte.gz
3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c train-labels-idx1-ubyte.gz
8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6 t10k-images-idx3-ubyte.gz
f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6 t10k-labels-idx1-ubyte.gz"

fashion_mnist_sums="\
3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84 train-images-idx3-ubyte.gz
a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845 train-labels-idx1-ubyte.gz
346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073 t10k-images-idx3-ubyte.gz
67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5 t10k-labels-idx1-ubyte.gz"

partial=""
trap 'rm -f "$partial"' EXIT

# has_sum FILE SUM
has_sum() {
  [ "$(sha256sum <"$1")" = "$2  -" ]
}

# download URL FILE
download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
  elif command -v wget >/dev/null; then
    wget --quiet --tries=3 --output-document="$2" "$1"
  else
    fail "neither curl nor wget is installed"
  fi
}

# fetch_file URL FILE SUM
fetch_file() {
  if [ -e "$2" ] && has_sum "$2" "$3"; then
    say "$2 is there"
    return
  fi
  say "$2 from $1"
  partial="$2.partial-$$"
  download "$1" "$partial" || fail "cannot download $1"
  has_sum "$partial" "$3" ||
    fail "$1: expected SHA-256 $3, found $(sha256sum <"$partial" | cut -d' ' -f1)"
  mv -f "$partial" "$2"
}

# fetch_dataset URL FOLDER SUMS
fetch_dataset() {
  local sum name
  mkdir -p "$2"
  while read -r sum name; do
    fetch_file "$1/$name" "$2/$name" "$sum"
  done <<<"$3"
}

folder="${1:-${LIPIZZ_DATA_DIR:-}}"
case "$folder" in
  "" | -*) fail "name the folder to download into: fetch-data.sh FOLDER [mnist] [fashion-mnist]" ;;
esac
shift $(($# > 0))
[ $# -gt 0 ] || set -- mnist fashion-mnist

for dataset in "$@"; do
  case "$dataset" in
    mnist) fetch_dataset "$mnist_url" "$folder/mnist" "$mnist_sums" ;;
    fashion-mnist)
      fetch_dataset "$fashion_mnist_url" "$folder/fashion-mnist" "$fashion_mnist_sums" ;;
    *) fail "there is no dataset \"$dataset\"; there are mnist, fashion-mnist" ;;
  esac
done
say "Done. Use it with --data-dir $folder, or export LIPIZZ_DATA_DIR=$folder"
