#include "checkpoint/cell_origin.hpp"

#include <utility>

#include "checkpoint/tensor_header.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"

namespace lipizz::checkpoint {
namespace {

constexpr const char* kFormat = "lipizz cell 2";

const std::string& text_of(const Metadata& metadata, const char* key, const std::string& place) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) {
    refuse(place, "expected metadata \"" + std::string(key) + "\", found none");
  }
  return found->second;
}

template <class Number>
Number number_of(const Metadata& metadata, const char* key, int base, const std::string& place) {
  const std::string& text = text_of(metadata, key, place);
  if (const auto number = parse_number<Number>(text, base)) return *number;
  refuse(place, "expected a number as metadata \"" + std::string(key) + "\", found " + text);
}

}  // namespace

Metadata to_metadata(const CellOrigin& origin) {
  return {{"format", kFormat},
          {"cell", std::to_string(origin.cell.value)},
          {"generation", std::to_string(origin.generation)},
          {"configuration", to_hex(origin.lineage.configuration)},
          {"numerics", origin.lineage.numerics},
          {"dataset", to_hex(origin.lineage.dataset)},
          {"judge", to_hex(origin.lineage.judge)}};
}

CellOrigin origin_of(const Metadata& metadata, const std::string& place) {
  const std::string& format = text_of(metadata, "format", place);
  if (format != kFormat) {
    refuse(place, "expected format \"" + std::string(kFormat) + "\", found \"" + format + "\"");
  }
  CellOrigin origin;
  origin.cell.value = number_of<std::uint32_t>(metadata, "cell", 10, place);
  origin.generation = number_of<Generation>(metadata, "generation", 10, place);
  origin.lineage.configuration = number_of<std::uint64_t>(metadata, "configuration", 16, place);
  origin.lineage.numerics = text_of(metadata, "numerics", place);
  origin.lineage.dataset = number_of<std::uint64_t>(metadata, "dataset", 16, place);
  origin.lineage.judge = number_of<std::uint64_t>(metadata, "judge", 16, place);
  return origin;
}

}  // namespace lipizz::checkpoint
