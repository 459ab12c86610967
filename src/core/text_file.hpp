#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace lipizz {

/// Reads the whole of a file that a person named; of a pipe, what is written into it until it is
/// closed. ConfigError when there is none, it cannot be read or it is larger than
/// `n_bytes_at_most`; `kind` says in it what the file should be, for example "configuration".
std::string read_text_file(const std::filesystem::path& file, std::string_view kind,
                           std::uintmax_t n_bytes_at_most);

}  // namespace lipizz
