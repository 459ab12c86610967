#!/usr/bin/env bash
# Downloads datasets into FOLDER (default: $LIPIZZ_DATA_DIR) and checks every file against its
# SHA-256. Files that are there and right are kept, so it is safe to run again.
#
#   scripts/fetch-data.sh FOLDER [mnist] [fashion-mnist] [cifar10] [facades]
#
# Without names MNIST and Fashion-MNIST. CIFAR-10 (170 MB) and the CMP facades (30 MB) come without a
# licence: use them for research, cite their authors, do not pass them on.
#
# MNIST_URL, FASHION_MNIST_URL, CIFAR10_URL and FACADES_URL name other places to download from.
set -euo pipefail
export LC_ALL=C # one order of names everywhere
source_folder="$(dirname "$0")"
# shellcheck source=scripts/lib.sh
. "$source_folder/lib.sh"

mnist_url="${MNIST_URL:-https://ossci-datasets.s3.amazonaws.com/mnist}"
cifar10_url="${CIFAR10_URL:-https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz}"
facades_url="${FACADES_URL:-http://efrosgans.eecs.berkeley.edu/pix2pix/datasets/facades.tar.gz}"
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

cifar10_sums="\
cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5  data_batch_1.bin
a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed  data_batch_2.bin
bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67  data_batch_3.bin
014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48  data_batch_4.bin
755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add  data_batch_5.bin
8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b  test_batch.bin"

# Of what sha256sum prints for the 606 pictures.
facades_sum="1993052d4da33e25fd6d86e00de3d4eeaa43ed9e8836b396d37a364311f92bec"

partial=""
trap 'rm -rf "$partial"' EXIT

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
    fail "neither curl nor wget is installed; on Debian: apt-get install curl"
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

cifar10_is_right() {
  (cd "$1" && sha256sum --check --status <<<"$cifar10_sums") 2>/dev/null
}

facades_is_right() {
  [ "$({ cd "$1" && sha256sum train/*.jpg val/*.jpg test/*.jpg; } 2>/dev/null | sha256sum)" = "$facades_sum  -" ]
}

# fetch_archive URL FOLDER CHECK: the content of the one folder in a .tar.gz, if CHECK accepts it
fetch_archive() {
  if "$3" "$2"; then
    say "$2 is there"
    return
  fi
  say "$2 from $1"
  partial="$2.partial-$$"
  mkdir -p "$partial/content"
  download "$1" "$partial/archive" || fail "cannot download $1"
  tar -xzf "$partial/archive" -C "$partial/content" --strip-components=1 --no-same-owner ||
    fail "$1: expected a .tar.gz, and it cannot be unpacked"
  "$3" "$partial/content" || fail "$1: the files in it have other SHA-256 than those published"
  mkdir -p "$2"
  cp -R "$partial/content/." "$2"
  rm -rf "$partial"
}

case "${1:-}" in
  -h | --help) usage && exit 0 ;;
  -*) fail "there is no option $1; $0 --help says more" ;;
esac
folder="${1:-${LIPIZZ_DATA_DIR:-}}"
if [ -z "$folder" ]; then
  usage >&2
  fail "name the folder to download into"
fi
shift $(($# > 0))
[ $# -gt 0 ] || set -- mnist fashion-mnist
for dataset in "$@"; do
  case "$dataset" in
    mnist | fashion-mnist | cifar10 | facades) ;;
    *) fail "there is no dataset \"$dataset\"; there are mnist, fashion-mnist, cifar10, facades" ;;
  esac
done

for dataset in "$@"; do
  case "$dataset" in
    mnist) fetch_dataset "$mnist_url" "$folder/mnist" "$mnist_sums" ;;
    fashion-mnist)
      fetch_dataset "$fashion_mnist_url" "$folder/fashion-mnist" "$fashion_mnist_sums" ;;
    cifar10) fetch_archive "$cifar10_url" "$folder/cifar10" cifar10_is_right ;;
    facades) fetch_archive "$facades_url" "$folder/facades" facades_is_right ;;
  esac
done
say "Done. Use it with --data-dir $folder, or export LIPIZZ_DATA_DIR=$folder"
