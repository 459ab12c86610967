#include "report/sheets.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string_view>
#include <system_error>

#include "checkpoint/source_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "report/base64.hpp"

namespace lipizz::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "best-gen";
constexpr std::string_view kEnd = ".png";
constexpr std::string_view kFinal = "best.png";
constexpr std::size_t kMostEntries = 10'000;  // a run leaves about fifty

constexpr std::array kSignature{std::byte{0x89}, std::byte{'P'}, std::byte{'N'}, std::byte{'G'}};

// The generation in the name of a sheet; nothing where it is the name of none.
std::optional<Generation> generation_of(const std::string& name, Generation last) {
  if (name == kFinal) return last;
  const bool is_sheet =
      name.size() > kBegin.size() + kEnd.size() && name.starts_with(kBegin) && name.ends_with(kEnd);
  if (!is_sheet) return std::nullopt;
  const auto generation = parse_number<Generation>(
      std::string_view(name).substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size()));
  return generation && *generation <= last ? generation : std::nullopt;
}

std::uint64_t n_characters_of(const std::vector<Sheet>& sheets) {
  return std::accumulate(
      sheets.begin(), sheets.end(), std::uint64_t{0},
      [](std::uint64_t sum, const Sheet& sheet) { return sum + base64_size(sheet.n_bytes); });
}

// How much would be missed without a sheet: the generations between its neighbours, or more than
// any of these where it is one to keep.
std::uint64_t worth_of(const std::vector<Sheet>& sheets, std::size_t i, Generation best) {
  constexpr std::uint64_t kMore = std::uint64_t{1} << 32;
  const bool is_best =
      sheets[i].generation <= best && (i + 1 == sheets.size() || sheets[i + 1].generation > best);
  if (i + 1 == sheets.size()) return kMore + 2;
  if (is_best) return kMore + 1;
  if (i == 0) return kMore;
  return sheets[i + 1].generation - sheets[i - 1].generation;
}

std::size_t least_missed(const std::vector<Sheet>& sheets, Generation best) {
  std::size_t least = 0;
  std::uint64_t least_worth = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    const std::uint64_t worth = worth_of(sheets, i, best);
    if (worth < least_worth) {
      least = i;
      least_worth = worth;
    }
  }
  return least;
}

}  // namespace

std::vector<Sheet> sheets_in(const fs::path& samples, Generation last) {
  std::vector<Sheet> sheets;
  std::error_code failure;
  std::size_t n_entries = 0;
  for (fs::directory_iterator entry(samples, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (++n_entries > kMostEntries) break;
    const std::string name = entry->path().filename().string();
    const auto generation = generation_of(name, last);
    std::error_code none;
    if (!generation || fs::symlink_status(entry->path(), none).type() != fs::file_type::regular) {
      continue;
    }
    const std::uint64_t n_bytes = entry->file_size(none);
    if (none) continue;
    sheets.push_back({entry->path(), *generation, name == kFinal, n_bytes});
  }
  std::ranges::sort(sheets, {},
                    [](const Sheet& sheet) { return std::pair(sheet.generation, sheet.is_final); });
  return sheets;
}

std::vector<Sheet> chosen_sheets(std::vector<Sheet> sheets, Generation best,
                                 const SheetLimits& limits) {
  while (sheets.size() > limits.n_sheets || n_characters_of(sheets) > limits.n_bytes) {
    sheets.erase(sheets.begin() + static_cast<std::ptrdiff_t>(least_missed(sheets, best)));
  }
  return sheets;
}

std::string data_uri(const Sheet& sheet) {
  try {
    const Bytes bytes = checkpoint::SourceFile(sheet.file).first(sheet.n_bytes + 1);
    const bool is_png = bytes.size() <= sheet.n_bytes && bytes.size() > kSignature.size() &&
                        std::equal(kSignature.begin(), kSignature.end(), bytes.begin());
    return is_png ? "data:image/png;base64," + base64(bytes) : "";
  } catch (const CheckpointError&) {  // it is gone since, which the page can do without
    return {};
  }
}

}  // namespace lipizz::report
