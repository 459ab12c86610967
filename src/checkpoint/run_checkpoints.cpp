#include "checkpoint/run_checkpoints.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <system_error>
#include <utility>

#include "checkpoint/tensor_header.hpp"
#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"

namespace lipizz::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "generation-";
constexpr std::string_view kExperimentBegins = ",\"experiment\":";
constexpr std::string_view kNoteEnds = "}\n";

std::string padded(std::uint32_t number, std::size_t n_digits) {
  const std::string digits = std::to_string(number);
  return std::string(n_digits - std::min(n_digits, digits.size()), '0') + digits;
}

std::optional<Generation> generation_of(const std::string& name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  return parse_number<Generation>(std::string_view(name).substr(kPrefix.size()));
}

// The folder of all checkpoints cannot be read, other than files in it.
struct Unreadable : CheckpointError {
  using CheckpointError::CheckpointError;
};

std::string described(Generation generation, std::uint32_t cell) {
  return "generation " + std::to_string(generation) + " of cell " + std::to_string(cell);
}

[[noreturn]] void fail_foreign(const std::string& place, const char* what, const std::string& there,
                               const std::string& here) {
  throw CheckpointError(place + ": was written by a run with " + what + " " + there +
                        ", and this one has " + here +
                        "; a run can only be resumed as it was started");
}

void check_lineage(const Lineage& found, const Lineage& expected, const std::string& place) {
  if (found.configuration != expected.configuration) {
    fail_foreign(place, "configuration", to_hex(found.configuration),
                 to_hex(expected.configuration));
  }
  if (found.numerics != expected.numerics) {
    fail_foreign(place, "numerics level", found.numerics, expected.numerics);
  }
}

}  // namespace

RunCheckpoints::RunCheckpoints(const fs::path& run, std::uint32_t n_cells)
    : root_(run / "checkpoints"), note_(run / "saved.json"), n_cells_(n_cells) {}

fs::path RunCheckpoints::folder(Generation generation) const {
  return root_ / (std::string(kPrefix) + padded(generation, 6));
}

fs::path RunCheckpoints::file(Generation generation, CellId cell) const {
  return folder(generation) / ("cell-" + padded(cell.value, 4) + ".safetensors");
}

void RunCheckpoints::prepare(Generation generation) const {
  make_folder(root_);
  make_folder(folder(generation));
}

void RunCheckpoints::note_saved(Generation generation, const std::string& experiment) const {
  write_atomically(note_, "{\"generation\":" + std::to_string(generation) +
                              std::string(kExperimentBegins) + experiment + std::string(kNoteEnds));
}

std::optional<std::string> RunCheckpoints::noted_experiment() const {
  constexpr std::uintmax_t kMostBytes = 1 << 20;
  std::string text;
  try {
    text = read_text_file(note_, "note of what is saved", kMostBytes);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
  const std::size_t found = text.find(kExperimentBegins);
  if (found == std::string::npos || !text.ends_with(kNoteEnds)) return std::nullopt;
  const std::size_t begin = found + kExperimentBegins.size();
  return text.substr(begin, text.size() - kNoteEnds.size() - begin);
}

std::vector<Generation> RunCheckpoints::generations() const {
  std::vector<Generation> all;
  std::error_code failure;
  fs::directory_iterator entry(root_, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    if (const auto generation = generation_of(entry->path().filename().string())) {
      all.push_back(*generation);
    }
  }
  if (failure && !is_missing(root_)) {
    throw Unreadable(root_.string() + ": cannot be read: " + failure.message() +
                     "; check its permissions, and that its file system is mounted");
  }
  std::ranges::sort(all, std::greater{});
  return all;
}

void RunCheckpoints::remove_before(Generation oldest_kept) const {
  for (const Generation generation : generations()) {
    std::error_code ignored;
    if (generation < oldest_kept) fs::remove_all(folder(generation), ignored);
  }
}

Generation RunCheckpoints::newest_with_all_files() const {
  const std::vector<Generation> all = generations();
  const auto found = std::ranges::find_if(all, [this](auto g) { return has_every_file(g); });
  return found == all.end() ? 0 : *found;
}

std::vector<CellOrigin> RunCheckpoints::read_origins(Generation generation) const {
  std::vector<CellOrigin> origins;
  for (std::uint32_t cell = 0; cell < n_cells_; ++cell) {
    const std::string place = file(generation, {cell}).string();
    origins.push_back(origin_of(read_tensors(place).metadata(), place));
    if (origins.back().cell.value != cell || origins.back().generation != generation) {
      refuse(place, "expected " + described(generation, cell) + ", found " +
                        described(origins.back().generation, origins.back().cell.value));
    }
  }
  return origins;
}

// Empty where it can be gone on from.
std::string RunCheckpoints::why_not(Generation generation, Generation last,
                                    const Lineage& expected) const {
  if (generation > last) {
    return folder(generation).string() + ": the metrics end at generation " + std::to_string(last);
  }
  std::vector<CellOrigin> origins;
  try {
    origins = read_origins(generation);
  } catch (const CheckpointError& error) {
    return error.what();
  }
  for (const CellOrigin& origin : origins) {
    check_lineage(origin.lineage, expected, file(generation, origin.cell).string());
  }
  return "";
}

// A generation that lacks a file was never saved whole, unless saved.json knows better.
bool RunCheckpoints::has_every_file(Generation generation) const {
  for (std::uint32_t cell = 0; cell < n_cells_; ++cell) {
    if (is_missing(file(generation, {cell}))) return false;
  }
  return true;
}

RunCheckpoints::Found RunCheckpoints::newest_complete(Generation last,
                                                      const Lineage& expected) const {
  Found found;
  found.was_saved = !is_missing(note_);
  try {
    for (const Generation generation : generations()) {
      const std::string why = why_not(generation, last, expected);
      if (why.empty()) return {generation, true, std::move(found.skipped), found.n_beyond};
      if (generation > last) ++found.n_beyond;
      // Beyond the metrics nobody knew yet that it was whole: the master was killed too early.
      const bool was_whole = generation <= last && has_every_file(generation);
      found.was_saved = found.was_saved || was_whole;
      found.skipped.push_back(why);
    }
  } catch (const Unreadable& unreadable) {
    found.was_saved = true;
    found.skipped.emplace_back(unreadable.what());
  }
  if (found.was_saved && found.skipped.empty()) {
    found.skipped.push_back(note_.string() + " tells of a saved generation, and " + root_.string() +
                            " has none; check that its file system is mounted");
  }
  return found;
}

}  // namespace lipizz::checkpoint
