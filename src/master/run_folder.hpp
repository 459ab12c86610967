#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace lipizz::master {

/// `runs/<name>-20260131T120000Z`, with -2, -3 ... behind when that is there already.
std::filesystem::path default_output_dir(const std::string& name,
                                         std::chrono::system_clock::time_point now);

/// Makes the folder of a run with the folders above it, and returns its absolute path. ConfigError
/// when it exists already (whatever it is) or cannot be made.
std::filesystem::path make_run_folder(const std::filesystem::path& folder);

/// Writes the file whole or not at all. CheckpointError.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace lipizz::master
