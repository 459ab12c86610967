#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lipizz::data {

/// A folder may have so many pictures.
inline constexpr std::size_t kMostPictures = std::size_t{1} << 26;

/// A file as its folder shows it.
struct ListedFile {
  std::string name;  // below the folder, its parts joined by '/'
  std::uint64_t n_bytes = 0;
  std::int64_t changed_ns = 0;  // when it was last written to

  bool operator==(const ListedFile&) const = default;
};

/// The files below a folder that samples are made of, and the others, in the order of the bytes of
/// their names.
struct FolderListing {
  std::vector<ListedFile> pictures;  // is_picture_name()
  std::vector<std::string> others;   // where there are parts, pictures in none of them, too
};

/// A folder has parts where there are pictures in its folder `train` and in `test` or `val`.
enum class FolderPart { kNone, kTrain, kTest };

/// The part that a picture of this name, below the folder, lies in.
FolderPart part_of(std::string_view name);

/// True where files of these names have parts.
template <class Files>
bool has_parts(const Files& files) {
  const auto has = [&](FolderPart part) {
    return std::ranges::any_of(files, [&](const ListedFile& f) { return part_of(f.name) == part; });
  };
  return has(FolderPart::kTrain) && has(FolderPart::kTest);
}

/// True for the names of pictures: .png, .jpg and .jpeg, in letters of either case.
bool is_picture_name(const std::filesystem::path& path);

/// Lists a folder with all folders below it, and those that links lead to; what begins with a dot
/// is passed over. DataError naming the folder when there is none, it cannot be read, its folders
/// are nested too deeply (links that loop), or it has no picture.
FolderListing list_pictures(const std::filesystem::path& folder);

}  // namespace lipizz::data
