// The kept index of a folder of pictures: the bytes as they are, and behind them their hash, so
// that what it guards is read, too.
#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "data/folder_index.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  const std::filesystem::path folder = "/f";
  const auto content = lipizz::fuzz::bytes(data, n_bytes);
  lipizz::fuzz::accepts([&] { lipizz::data::unpack_index(content, folder); });
  lipizz::Bytes hashed(content.begin(), content.end());
  lipizz::Hasher hasher;
  hasher.bytes(content);
  const std::uint64_t hash = hasher.digest();
  const auto tail = lipizz::fuzz::bytes(reinterpret_cast<const std::uint8_t*>(&hash), sizeof hash);
  hashed.insert(hashed.end(), tail.begin(), tail.end());
  lipizz::fuzz::accepts([&] {
    const auto index = lipizz::data::unpack_index(hashed, folder);
    // An index that was taken comes back from what is written of it.
    if (lipizz::data::pack_index(index) != hashed) std::abort();
  });
  return 0;
}
