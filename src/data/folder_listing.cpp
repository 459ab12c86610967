#include "data/folder_listing.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

#include "core/error.hpp"

namespace lipizz::data {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLevels = 32;

[[noreturn]] void fail(const fs::path& folder, const std::string& what) {
  throw DataError(folder.string() + ": " + what);
}

ListedFile listed(const fs::directory_entry& entry, const fs::path& folder) {
  std::error_code failure;
  ListedFile file{.name = entry.path().lexically_relative(folder).generic_string()};
  file.n_bytes = entry.file_size(failure);
  const fs::file_time_type when = entry.last_write_time(failure);
  if (failure) fail(entry.path(), failure.message());
  file.changed_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
  return file;
}

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

void leave_to_parts(FolderListing& listing) {
  if (!has_parts(listing.pictures)) return;
  const auto is_in_none = [](const ListedFile& file) {
    return part_of(file.name) == FolderPart::kNone;
  };
  for (const ListedFile& file : listing.pictures) {
    if (is_in_none(file)) listing.others.push_back(file.name);
  }
  std::erase_if(listing.pictures, is_in_none);
}

}  // namespace

FolderPart part_of(std::string_view name) {
  if (name.starts_with("train/")) return FolderPart::kTrain;
  const bool is_test = name.starts_with("test/") || name.starts_with("val/");
  return is_test ? FolderPart::kTest : FolderPart::kNone;
}

bool is_picture_name(const fs::path& path) {
  std::string extension = path.extension();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".png" || extension == ".jpg" || extension == ".jpeg";
}

FolderListing list_pictures(const fs::path& folder) {
  FolderListing listing;
  std::error_code failure;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::follow_directory_symlink,
                                         failure);
  for (; !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
    std::error_code none;
    const bool is_folder = entry->is_directory(none);
    if (is_hidden(entry->path())) {
      if (is_folder) entry.disable_recursion_pending();
    } else if (is_folder && entry.depth() >= kMostLevels) {
      fail(entry->path(), "folders are nested more than " + std::to_string(kMostLevels) +
                              " deep; does a link lead back?");
    } else if (!is_folder && is_picture_name(entry->path())) {
      listing.pictures.push_back(listed(*entry, folder));
    } else if (!is_folder) {
      listing.others.push_back(entry->path().lexically_relative(folder).generic_string());
    }
    if (listing.pictures.size() > kMostPictures) fail(folder, "it has too many files");
  }
  if (failure) fail(folder, failure.message());
  if (listing.pictures.empty()) {
    fail(folder,
         "expected a folder with pictures (.png, .jpg, .jpeg), or with folders of them, "
         "found none");
  }
  leave_to_parts(listing);
  std::ranges::sort(listing.pictures, {}, &ListedFile::name);
  std::ranges::sort(listing.others);
  return listing;
}

}  // namespace lipizz::data
