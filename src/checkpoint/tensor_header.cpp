#include "checkpoint/tensor_header.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"

namespace lipizz::checkpoint {
namespace {

using Json = nlohmann::json;

constexpr int kMaxDepth = 3;  // of a number in a tensor's shape
constexpr const char* kMetadataKey = "__metadata__";

struct TypeEntry {
  DType type;
  std::string_view name;
  std::size_t n_bytes;
};
constexpr std::array kTypes{TypeEntry{.type = DType::kU8, .name = "U8", .n_bytes = 1},
                            TypeEntry{.type = DType::kI64, .name = "I64", .n_bytes = 8},
                            TypeEntry{.type = DType::kU64, .name = "U64", .n_bytes = 8},
                            TypeEntry{.type = DType::kF32, .name = "F32", .n_bytes = 4},
                            TypeEntry{.type = DType::kF64, .name = "F64", .n_bytes = 8}};

// A tensor of the header, with where its data lies.
struct Placed {
  TensorView tensor;
  std::uint64_t begin;
  std::uint64_t end;
};

// JSON in which no object has a key twice.
Json parse_json(std::string_view text, const std::string& place) {
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > kMaxDepth) refuse(place, "its header is nested too deeply");
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed).second) {
      refuse(place, "its header has the key " + parsed.dump() + " twice");
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    refuse(place, "its header is not JSON from byte " + std::to_string(error.byte) + " on");
  } catch (const Json::out_of_range&) {
    refuse(place, "its header has a number beyond all bounds");
  }
}

const Json& member(const Json& object, const char* key, const std::string& place) {
  if (!object.is_object() || !object.contains(key)) {
    refuse(place, "expected an object with \"" + std::string(key) + "\", found another value");
  }
  return object.at(key);
}

// nlohmann's own conversion would take -1 and 1.5 too.
std::vector<std::uint64_t> numbers(const Json& json, const std::string& place) {
  const auto is_number = [](const Json& item) { return item.is_number_unsigned(); };
  if (!json.is_array() || !std::ranges::all_of(json, is_number)) {
    refuse(place, "expected a list of whole numbers, found another value");
  }
  return json.get<std::vector<std::uint64_t>>();
}

DType parse_type(const Json& json, const std::string& place) {
  if (!json.is_string()) refuse(place, "expected a dtype, found another value");
  const auto name = json.get<std::string>();
  const auto known = std::ranges::find(kTypes, name, &TypeEntry::name);
  if (known == kTypes.end()) {
    refuse(place, "expected dtype U8, I64, U64, F32 or F64, found \"" + name + "\"");
  }
  return known->type;
}

void check_size(const Placed& placed, const std::string& place) {
  std::uint64_t n_bytes = size_of(placed.tensor.type);
  bool fits = true;
  for (const std::uint64_t dimension : placed.tensor.shape) {
    fits = fits && dimension > 0 && !__builtin_mul_overflow(n_bytes, dimension, &n_bytes);
  }
  if (!fits || placed.end < placed.begin || placed.end - placed.begin != n_bytes) {
    refuse(place, "its shape and its data offsets do not agree");
  }
}

Placed parse_tensor(const std::string& name, const Json& json, const std::string& file) {
  const std::string place = file + ": tensor \"" + name + "\"";
  const auto offsets = numbers(member(json, "data_offsets", place), place);
  if (offsets.size() != 2) refuse(place, "expected 2 data offsets");
  Placed placed{{name,
                 parse_type(member(json, "dtype", place), place),
                 numbers(member(json, "shape", place), place),
                 {}},
                offsets[0],
                offsets[1]};
  check_size(placed, place);
  return placed;
}

Metadata parse_metadata(const Json& json, const std::string& place) {
  const auto is_text = [](const Json& item) { return item.is_string(); };
  if (!json.is_object() || !std::ranges::all_of(json, is_text)) {
    refuse(place, "expected texts as metadata, found another value");
  }
  return json.get<Metadata>();
}

void check_cover(std::span<const Placed> sorted, std::uint64_t n_data_bytes,
                 const std::string& place) {
  std::uint64_t expected = 0;
  for (const Placed& placed : sorted) {
    if (placed.begin != expected) {
      refuse(place, "expected tensor \"" + placed.tensor.name + "\" at byte " +
                        std::to_string(expected) + " of the data, found it at " +
                        std::to_string(placed.begin));
    }
    expected = placed.end;
  }
  if (expected != n_data_bytes) {
    refuse(place, "expected " + std::to_string(expected) + " bytes of data, found " +
                      std::to_string(n_data_bytes));
  }
}

}  // namespace

std::size_t size_of(DType type) {
  return std::ranges::find(kTypes, type, &TypeEntry::type)->n_bytes;
}

std::string_view to_string(DType type) {
  return std::ranges::find(kTypes, type, &TypeEntry::type)->name;
}

void refuse(const std::string& place, const std::string& what) {
  throw CheckpointError(place + ": " + what +
                        "; the file is damaged or not written by lipizz: use another copy");
}

std::string format_header(std::span<const TensorView> tensors, const Metadata& metadata) {
  Json header;
  header[kMetadataKey] = metadata;
  std::uint64_t begin = 0;
  for (const TensorView& tensor : tensors) {
    const std::uint64_t end = begin + tensor.data.size();
    header[tensor.name] = {
        {"dtype", to_string(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

TensorHeader parse_header(std::string_view text, std::uint64_t n_data_bytes,
                          const std::string& place) {
  const Json json = parse_json(text, place);
  if (!json.is_object()) refuse(place, "expected a JSON object as header, found another value");
  TensorHeader header;
  std::vector<Placed> placed;
  for (const auto& [name, value] : json.items()) {
    if (name == kMetadataKey) {
      header.metadata = parse_metadata(value, place);
    } else {
      placed.push_back(parse_tensor(name, value, place));
    }
  }
  std::ranges::sort(placed, {}, &Placed::begin);
  check_cover(placed, n_data_bytes, place);
  for (Placed& p : placed) {
    header.n_bytes.push_back(p.end - p.begin);
    header.tensors.push_back(std::move(p.tensor));
  }
  return header;
}

}  // namespace lipizz::checkpoint
