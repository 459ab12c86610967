#include "report/result_details.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "checkpoint/source_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "report/json_depth.hpp"

namespace lipizz::report {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

constexpr std::uint64_t kLargestResult = 256 << 20;  // of a million cells

// All of these throw nlohmann's exceptions where a value is of another type.

double number(const OrderedJson& json, const char* key) {
  const auto found = json.find(key);
  const bool is_there = found != json.end() && !found->is_null();
  return is_there ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string text_at(const OrderedJson& json, const char* key) {
  return json.value(key, std::string());
}

Rank rank_of(const OrderedJson& json) {
  return {json.at("rank").get<int>()};
}

// The elements of the list there, if it is one.
const OrderedJson::array_t& list_at(const OrderedJson& json, const char* key) {
  static const OrderedJson::array_t kNone;
  return json.contains(key) ? json.at(key).get_ref<const OrderedJson::array_t&>() : kNone;
}

const OrderedJson& object_at(const OrderedJson& json, const char* key) {
  static const OrderedJson kNone = OrderedJson::object();
  const bool is_there = json.contains(key);
  if (is_there && !json.at(key).is_object()) {
    throw OrderedJson::other_error::create(500, "no object", nullptr);
  }
  return is_there ? json.at(key) : kNone;
}

ResultDetails::RankTime time_of(const OrderedJson& json) {
  const OrderedJson& wall = object_at(json, "wall_s");
  ResultDetails::RankTime time{.rank = rank_of(json),
                               .n_cells = json.at("cells").get<std::uint32_t>(),
                               .waited_s = number(wall, "gather"),
                               .helpers_s = number(wall, "helpers"),
                               .total_s = number(wall, "total"),
                               .cpu_s = {},
                               .host = {}};
  const OrderedJson& cpu = object_at(json, "cpu_s");
  for (const auto& [routine, seconds] : cpu.items()) {
    if (routine != "total") time.cpu_s.push_back({routine, number(cpu, routine.c_str())});
  }
  return time;
}

void read_ranks(const OrderedJson& json, ResultDetails& details) {
  for (const OrderedJson& time : list_at(json, "profile")) details.times.push_back(time_of(time));
  for (const OrderedJson& entry : list_at(json, "inventory")) {
    if (entry.value("lost", false)) details.lost.push_back(rank_of(entry));
    for (ResultDetails::RankTime& time : details.times) {
      if (time.rank == rank_of(entry)) time.host = text_at(entry, "host");
    }
  }
}

void read_traffic(const OrderedJson& json, ResultDetails& details) {
  for (const auto& [name, value] : json.items()) {
    if (!value.is_object()) continue;
    details.traffic.push_back({name, value.at("messages").get<std::uint64_t>(),
                               value.at("bytes").get<std::uint64_t>(),
                               number(value, "bytes_per_cell_and_generation")});
  }
  details.n_unauthenticated = json.value("unauthenticated", std::uint64_t{0});
}

void read_origin(const OrderedJson& json, ResultDetails& details) {
  details.engine = text_at(json, "engine");
  const OrderedJson& times = object_at(json, "times");
  details.started = text_at(times, "started");
  details.ended = text_at(times, "ended");
  const OrderedJson& program = object_at(json, "program");
  details.version = text_at(program, "version");
  details.git = text_at(program, "git");
  for (const auto& [name, version] : object_at(program, "libraries").items()) {
    details.libraries.push_back(name + ' ' + version.get<std::string>());
  }
  for (const OrderedJson& host : list_at(json, "hosts"))
    details.hosts.push_back(text_at(host, "host"));
  for (const OrderedJson& word : list_at(json, "command")) details.command.push_back(word);
}

ResultDetails details_of(const OrderedJson& json) {
  ResultDetails details;
  read_ranks(json, details);
  read_traffic(object_at(json, "traffic"), details);
  read_origin(json, details);
  for (const OrderedJson& cell : list_at(json, "cells")) {
    details.cells.push_back({number(cell, "score"), text_at(cell, "fingerprint")});
  }
  return details;
}

}  // namespace

ResultDetails parse_result_details(std::string_view text, std::string_view source) {
  try {
    if (is_shallow_json(text)) {
      const OrderedJson json = OrderedJson::parse(text);
      if (json.is_object()) return details_of(json);
    }
  } catch (const OrderedJson::exception&) {  // told below
  }
  throw CheckpointError(std::string(source) +
                        ": expected the result of a run, found something else; move it away, and " +
                        "resume the run to have it written again");
}

std::optional<ResultDetails> read_result_details(const fs::path& folder) {
  const fs::path file = folder / "result.json";
  if (is_missing(file)) return std::nullopt;
  const Bytes bytes = checkpoint::SourceFile(file).first(kLargestResult + 1);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return parse_result_details(bytes.size() > kLargestResult ? "" : text, file.string());
}

}  // namespace lipizz::report
