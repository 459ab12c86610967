#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/ids.hpp"

namespace lipizz::report {

/// A picture in the samples/ of a run.
struct Sheet {
  std::filesystem::path file;
  Generation generation = 0;
  bool is_final = false;  // best.png: of the best cell at the end, drawn anew
  std::uint64_t n_bytes = 0;
};

/// So much of sheets may a page carry.
struct SheetLimits {
  std::size_t n_sheets = 40;
  std::uint64_t n_bytes = 3'000'000;  // of all of them, as text
};

/// The pictures of the best mixture in `samples` by generation: best-genNNN.png, and best.png as
/// that of generation `last` at the end. Other names, links and folders are none of them; neither
/// is what lies behind `last`. Empty where there is no such folder.
std::vector<Sheet> sheets_in(const std::filesystem::path& samples, Generation last);

/// Those of them that fit into the limits, spread over the run as evenly as they go. Kept to the
/// end are the last, the newest that is not later than `best`, and the first, in this order.
std::vector<Sheet> chosen_sheets(std::vector<Sheet> sheets, Generation best,
                                 const SheetLimits& limits = {});

/// The picture as `data:image/png;base64,...`; empty where the file is no PNG any more, is gone or
/// has grown beyond what sheets_in() found.
std::string data_uri(const Sheet& sheet);

}  // namespace lipizz::report
