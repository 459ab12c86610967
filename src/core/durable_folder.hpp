#pragma once

#include <filesystem>

namespace lipizz {

/// Puts the names in a folder on the disk; empty is the working folder. Where the file system knows
/// no such thing, or the folder may be written to but not read, nothing is done. CheckpointError
/// naming the folder and the reason when the disk fails.
void sync_folder(const std::filesystem::path& folder);

/// True where nothing is there, not even a link; false where that cannot be told.
[[nodiscard]] bool is_missing(const std::filesystem::path& path);

/// Makes one folder in its parent, which is there, and puts its name on the disk. Any number of
/// processes may. CheckpointError naming it and the reason.
void make_folder(const std::filesystem::path& folder);

/// The same with all folders above it that are missing.
void make_folders(const std::filesystem::path& folder);

/// Puts the folder `made` in the place of `folder` beside it, or where there is none. The one that
/// was there is removed. Where the process ends on the way, nothing may be at `folder`; the next
/// one to do this mends that. CheckpointError naming the folder and the reason.
void replace_folder(const std::filesystem::path& made, const std::filesystem::path& folder);

}  // namespace lipizz
