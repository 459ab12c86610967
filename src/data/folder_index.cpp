#include "data/folder_index.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "data/opened_file.hpp"
#include "data/picture_file.hpp"
#include "data/reader_threads.hpp"

namespace lipizz::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostPixels = 1U << 26;  // of one picture
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;
constexpr std::uint32_t kVersion = 1;                           // of the index as it is kept
constexpr std::uint64_t kMostIndexBytes = kMostPictures * 256;  // 44 of each picture, and its name
constexpr std::size_t kMostNamed = 3;                           // in a message

using FileBytes = std::vector<std::uint8_t>;

std::uint64_t hash_of(const FileBytes& bytes) {
  Hasher hasher;
  hasher.bytes(std::as_bytes(std::span(bytes)));
  return hasher.digest();
}

IndexedPicture indexed(const fs::path& folder, const ListedFile& file) {
  const fs::path path = folder / file.name;
  const FileBytes bytes = OpenedFile(path).content(kMostBytes);
  const Image image = decode_picture(bytes, path, kMostPixels);
  return {file, image.width, image.height, image.channels, hash_of(bytes)};
}

// Finds what is known of a file from an earlier look; null where that was another one.
const IndexedPicture* find_known(const FolderIndex& known, const ListedFile& file) {
  const auto found = std::ranges::lower_bound(known.pictures, file.name, {}, &IndexedPicture::name);
  const bool is_same =
      found != known.pictures.end() && static_cast<const ListedFile&>(*found) == file;
  return is_same ? &*found : nullptr;
}

// The file of the cache; folders on different hosts may have one name.
std::string name_in_cache(const fs::path& folder) {
  Hasher hasher;
  hasher.text(folder.string());
  return "folder-" + to_hex(hasher.digest()) + ".bin";
}

FolderIndex kept_index(const fs::path& folder, const OpenOptions& options) {
  FolderIndex known;
  find_in_cache(
      options.cache, name_in_cache(folder),
      [&](std::span<const std::byte> bytes) { known = unpack_index(bytes, folder); }, options.log,
      kMostIndexBytes);
  return known;
}

std::string first_of(const std::vector<std::string>& all, const std::string& separator) {
  const std::size_t n = std::min(kMostNamed, all.size());
  return join(std::span(all).first(n), separator) + (n < all.size() ? separator + "..." : "");
}

[[noreturn]] void fail_broken(const fs::path& folder, std::size_t n_all,
                              const std::vector<std::string>& broken) {
  if (broken.size() == 1) throw DataError(broken.front() + "; replace or remove it");
  throw DataError(folder.string() + ": " + std::to_string(broken.size()) + " of " +
                  counted(n_all, "picture") +
                  " cannot be read; replace or remove them: " + first_of(broken, "; "));
}

// Looks at the files that are not known yet; how many these were.
std::size_t complete(FolderIndex& index, const std::vector<ListedFile>& listed,
                     const FolderIndex& known, std::uint32_t n_readers) {
  index.pictures.resize(listed.size());
  std::vector<std::uint32_t> anew;
  for (std::uint32_t i = 0; i < listed.size(); ++i) {
    if (const IndexedPicture* same = find_known(known, listed[i])) {
      index.pictures[i] = *same;
    } else {
      anew.push_back(i);
    }
  }
  std::vector<std::string> errors(anew.size());
  for_each_on_threads(static_cast<std::uint32_t>(anew.size()), n_readers, [&](std::uint32_t k) {
    try {
      index.pictures[anew[k]] = indexed(index.folder, listed[anew[k]]);
    } catch (const DataError& error) {
      errors[k] = error.what();
    }
  });
  std::erase(errors, "");
  if (!errors.empty()) fail_broken(index.folder, listed.size(), errors);
  return anew.size();
}

}  // namespace

FolderIndex index_folder(const fs::path& folder, const OpenOptions& options) {
  const FolderListing listing = list_pictures(folder);
  const FolderIndex known = kept_index(folder, options);
  FolderIndex index{.folder = folder, .pictures = {}};
  const std::size_t n_anew = complete(index, listing.pictures, known, options.n_readers);
  if (n_anew > 0 || known.pictures.size() != index.pictures.size()) {
    keep_in_cache(options.cache, name_in_cache(folder), pack_index(index), options.log);
  }
  options.log.info(folder.string() + ": " + counted(index.pictures.size(), "picture") + ", " +
                   std::to_string(n_anew) + " of them looked at anew");
  if (!listing.others.empty()) {
    options.log.info(folder.string() + ": " + counted(listing.others.size(), "other file") +
                     ", not used: " + first_of(listing.others, ", "));
  }
  return index;
}

Image read_indexed(const FolderIndex& index, std::uint32_t picture) {
  const IndexedPicture& known = index.pictures[picture];
  const fs::path path = index.folder / known.name;
  const FileBytes bytes = OpenedFile(path).content(kMostBytes);
  if (hash_of(bytes) != known.hash) {
    throw DataError(path.string() +
                    ": it is not what it was when the run began; start anew with the files as they "
                    "are, or bring it back");
  }
  return decode_picture(bytes, path, kMostPixels);
}

Bytes pack_index(const FolderIndex& index) {
  ByteWriter writer;
  writer.value(kVersion);
  writer.text(index.folder.string());
  writer.value(static_cast<std::uint64_t>(index.pictures.size()));
  for (const IndexedPicture& picture : index.pictures) {
    writer.text(picture.name);
    writer.value(picture.n_bytes);
    writer.value(picture.changed_ns);
    writer.value(picture.width);
    writer.value(picture.height);
    writer.value(picture.channels);
    writer.value(picture.hash);
  }
  Bytes bytes = writer.take();
  Hasher hasher;
  hasher.bytes(bytes);
  const std::uint64_t hash = hasher.digest();
  append(bytes, std::as_bytes(std::span(&hash, 1)));
  return bytes;
}

FolderIndex unpack_index(std::span<const std::byte> bytes, const fs::path& folder) {
  const std::string what = "the index of " + folder.string();
  if (bytes.size() < sizeof(std::uint64_t)) throw CommError(what + " is cut");
  const auto content = bytes.first(bytes.size() - sizeof(std::uint64_t));
  Hasher hasher;
  hasher.bytes(content);
  if (ByteReader(bytes.subspan(content.size()), what).value<std::uint64_t>() != hasher.digest()) {
    throw CommError(what + " is damaged");
  }
  ByteReader reader(content, what);
  const bool is_ours =
      reader.value<std::uint32_t>() == kVersion && reader.text() == folder.string();
  if (!is_ours) throw CommError(what + " is of another version, or of another folder");
  FolderIndex index{.folder = folder, .pictures = {}};
  const auto n = reader.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < n; ++i) {  // a wrong count ends with the bytes
    IndexedPicture& picture = index.pictures.emplace_back();
    picture.name = reader.text();
    picture.n_bytes = reader.value<std::uint64_t>();
    picture.changed_ns = reader.value<std::int64_t>();
    picture.width = reader.value<std::uint32_t>();
    picture.height = reader.value<std::uint32_t>();
    picture.channels = reader.value<std::uint32_t>();
    picture.hash = reader.value<std::uint64_t>();
  }
  reader.expect_end();
  return index;
}

}  // namespace lipizz::data
