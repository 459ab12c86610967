#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/bytes.hpp"
#include "data/dataset.hpp"
#include "data/folder_listing.hpp"
#include "data/image.hpp"

namespace lipizz::data {

/// A picture that has been decoded once.
struct IndexedPicture : ListedFile {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 0;
  std::uint64_t hash = 0;  // of the file's bytes
};

/// The pictures below a folder that samples are made of (FolderListing), by their names.
struct FolderIndex {
  std::filesystem::path folder;
  std::vector<IndexedPicture> pictures;
};

/// Decodes each of these pictures once, on `options.n_readers` threads, and keeps what it found in
/// the cache: the next time only those are read whose size or time is another. The log tells how
/// many there are and which files are not used. DataError naming the folder, or the first few
/// pictures that cannot be decoded.
FolderIndex index_folder(const std::filesystem::path& folder, const OpenOptions& options);

/// Reads an indexed picture again. DataError naming the file when its bytes are not those that were
/// indexed.
Image read_indexed(const FolderIndex& index, std::uint32_t picture);

/// The index as it is kept, and back. CommError when the bytes are damaged or those of another
/// folder.
Bytes pack_index(const FolderIndex& index);
FolderIndex unpack_index(std::span<const std::byte> bytes, const std::filesystem::path& folder);

}  // namespace lipizz::data
