#include "checkpoint/run_checkpoints.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <system_error>

#include "checkpoint/tensor_header.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"

namespace lipizz::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "generation-";

std::string padded(std::uint32_t number, std::size_t n_digits) {
  const std::string digits = std::to_string(number);
  return std::string(n_digits - std::min(n_digits, digits.size()), '0') + digits;
}

std::optional<Generation> generation_of(const std::string& name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  return parse_number<Generation>(std::string_view(name).substr(kPrefix.size()));
}

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
    : root_(run / "checkpoints"), n_cells_(n_cells) {}

fs::path RunCheckpoints::folder(Generation generation) const {
  return root_ / (std::string(kPrefix) + padded(generation, 6));
}

fs::path RunCheckpoints::file(Generation generation, CellId cell) const {
  return folder(generation) / ("cell-" + padded(cell.value, 4) + ".safetensors");
}

void RunCheckpoints::prepare(Generation generation) const {
  std::error_code failure;
  fs::create_directories(folder(generation), failure);
  if (!failure) return;
  throw CheckpointError("cannot make the folder " + folder(generation).string() + ": " +
                        failure.message());
}

std::vector<Generation> RunCheckpoints::generations() const {
  std::vector<Generation> all;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(root_, failure)) {
    if (const auto generation = generation_of(entry.path().filename().string())) {
      all.push_back(*generation);
    }
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

RunCheckpoints::Found RunCheckpoints::newest_complete(Generation last,
                                                      const Lineage& expected) const {
  Found found;
  for (const Generation generation : generations()) {
    if (generation > last) {
      found.skipped.push_back(folder(generation).string() + ": the metrics end at generation " +
                              std::to_string(last));
      continue;
    }
    std::vector<CellOrigin> origins;
    try {
      origins = read_origins(generation);
    } catch (const CheckpointError& error) {
      found.skipped.emplace_back(error.what());
      continue;
    }
    for (const CellOrigin& origin : origins) {
      check_lineage(origin.lineage, expected, file(generation, origin.cell).string());
    }
    found.generation = generation;
    return found;
  }
  return found;
}

}  // namespace lipizz::checkpoint
