#include "config/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "config/model.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"

namespace lipizz::config {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uintmax_t kMaxFileBytes = 1U << 20;
constexpr int kMaxDepth = 32;

std::string shown(const Json& value) {
  return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

[[noreturn]] void fail(std::string_view where, std::string_view expected, const Json& found) {
  throw ConfigError(std::string(where) + ": expected " + std::string(expected) + ", found " +
                    shown(found));
}

// The JSON library keeps the last of two equal keys; a second one is refused here instead.
class UniqueKeys {
 public:
  explicit UniqueKeys(std::string_view source) : source_(source) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > kMaxDepth) {
      throw ConfigError(source_ + ": expected at most " + std::to_string(kMaxDepth) +
                        " lists and objects in one another, found more");
    }
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key && !open_.back().insert(parsed).second) {
      throw ConfigError(source_ + ": the key " + shown(parsed) + " stands twice in one object");
    }
    return true;
  }

 private:
  std::string source_;
  std::vector<std::set<std::string>> open_;
};

std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return std::to_string(line) + ":" + std::to_string(column);
}

// The library's message starts with its own code and place, and may quote bytes that are no text;
// what follows is for people.
std::string reason(std::string message) {
  std::ranges::replace_if(
      message, [](unsigned char c) { return c >= 0x80; }, '?');
  for (const std::string_view mark : {" - ", "] "}) {
    const std::size_t at = message.find(mark);
    if (at != std::string::npos) return message.substr(at + mark.size());
  }
  return message;
}

Json parse(std::string_view text, std::string_view source) {
  try {
    return Json::parse(text, UniqueKeys(source));
  } catch (const Json::parse_error& error) {
    throw ConfigError(std::string(source) + ":" + line_and_column(text, error.byte) +
                      ": not valid JSON: " + reason(error.what()));
  } catch (const Json::exception& error) {
    throw ConfigError(std::string(source) + ": not valid JSON: " + reason(error.what()));
  }
}

NeighbourhoodFrom parse_entry(const Json& value, const std::string& where) {
  if (!value.is_object() || value.size() != 2 || !value.contains("from") ||
      !value.contains("neighbourhood") || !value["neighbourhood"].is_string()) {
    fail(where, R"({"from": generation, "neighbourhood": name})", value);
  }
  const Json& from = value["from"];
  if (!from.is_number_unsigned() || from.get<std::uint64_t>() > UINT32_MAX) {
    fail(where + ".from", "a generation", from);
  }
  return {from.get<std::uint32_t>(), value["neighbourhood"].get<std::string>()};
}

// Puts a JSON value into a field, one overload for each type of setting.
struct Assign {
  const Json& value;
  const Field& field;
  const std::string& where;

  void operator()(bool* target) const {
    expect(value.is_boolean());
    *target = value.get<bool>();
  }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(Number* target) const {
    expect(std::is_integral_v<Number> ? value.is_number_integer() : value.is_number());
    const auto number = value.get<double>();
    expect(number >= field.lowest && number <= field.highest);
    *target = value.get<Number>();
  }
  void operator()(std::string* target) const {
    expect(value.is_string());
    *target = value.get<std::string>();
  }
  void operator()(std::vector<std::string>* target) const {
    expect(value.is_array() &&
           std::ranges::all_of(value, [](const Json& element) { return element.is_string(); }));
    *target = value.get<std::vector<std::string>>();
  }
  void operator()(std::vector<NeighbourhoodFrom>* target) const {
    if (value.is_string()) {
      *target = {{0, value.get<std::string>()}};
      return;
    }
    expect(value.is_array());
    std::vector<NeighbourhoodFrom> schedule;
    for (std::size_t i = 0; i < value.size(); ++i) {
      schedule.push_back(parse_entry(value[i], where + "[" + std::to_string(i) + "]"));
    }
    *target = std::move(schedule);
  }

  void operator()(Model* target) const {
    expect(value.is_string() || value.is_object());
    if (value.is_object()) {
      *target = parse_model(value.dump(), where);
    } else {
      expect(!value.get<std::string>().empty());
      *target = {.name = value.get<std::string>()};
    }
  }

  // Another kind has other parameters; so those of the kind before are forgotten.
  void operator()(Operator* target) const {
    expect(value.is_string() || value.is_object());
    const Json kind = value.is_string() ? value : value.value("kind", Json(target->kind));
    if (!kind.is_string()) fail(where + ".kind", "a name", kind);
    if (kind != target->kind) *target = {kind.get<std::string>()};
    if (value.is_string()) return;
    for (const auto& [name, number] : value.items()) {
      if (name != "kind") set_parameter(*target, name, number);
    }
  }
  void set_parameter(Operator& target, const std::string& name, const Json& number) const {
    if (!number.is_number()) fail(where + "." + name, "a number", number);
    const auto known =
        std::ranges::find(target.parameters, name, &std::pair<std::string, double>::first);
    if (known != target.parameters.end()) {
      known->second = number.get<double>();
    } else {
      target.parameters.emplace_back(name, number.get<double>());
    }
  }

  void expect(bool holds) const {
    if (!holds) fail(where, expected(field), value);
  }
};

void assign(const Field& field, const Json& value, const std::string& where) {
  std::visit(Assign{value, field, where}, field.value);
}

const Field* find_field(const std::vector<Field>& all, std::string_view path) {
  const auto found = std::ranges::find(all, path, &Field::path);
  return found == all.end() ? nullptr : &*found;
}

bool is_section(const std::vector<Field>& all, const std::string& path) {
  return std::ranges::any_of(
      all, [&](const Field& field) { return field.path.starts_with(path + "."); });
}

bool is_operator(const Field& field) {
  return std::holds_alternative<Operator*>(field.value);
}

// The operator that the setting `path` is a part of, such as selection.size; null: none.
const Field* find_operator_of(const std::vector<Field>& all, std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  const Field* field = find_field(all, path.substr(0, dot));
  return field != nullptr && is_operator(*field) ? field : nullptr;
}

// The keys that are settings of their own go to these; what is left is the operator's.
void apply_operator(const Field& field, const Json& object, const std::string& source,
                    const std::vector<Field>& all) {
  Json own = Json::object();
  for (const auto& [key, value] : object.items()) {
    const std::string path = field.path + "." + key;
    if (const Field* setting = find_field(all, path)) {
      assign(*setting, value, source + ": " + path);
    } else if (key == "kind" || !value.is_structured()) {
      own[key] = value;
    } else {
      fail_unknown(source, path, all);
    }
  }
  assign(field, own, source + ": " + field.path);
}

void apply_object(const Json& object, const std::string& prefix, const std::string& source,
                  const std::vector<Field>& all) {
  for (const auto& [key, value] : object.items()) {
    const std::string path = prefix + key;
    if (key.find('.') != std::string::npos) {
      fail(source + ": " + path, R"(nested objects, such as {"grid": {"rows": 2}})", key);
    }
    const Field* field = find_field(all, path);
    if (field != nullptr && is_operator(*field) && value.is_object()) {
      apply_operator(*field, value, source, all);
    } else if (field != nullptr) {
      assign(*field, value, source + ": " + path);
    } else if (is_section(all, path)) {
      if (!value.is_object()) fail(source + ": " + path, "an object", value);
      apply_object(value, path + ".", source, all);
    } else {
      fail_unknown(source, path, all);
    }
  }
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

// Text where a number belongs stays text, and assign() says what was expected.
Json number_or_text(std::string_view text) {
  const Json number = Json::parse(text, nullptr, false);
  return number.is_discarded() ? Json(text) : number;
}

Json value_from_command_line(const Field& field, std::string_view text, std::string_view where) {
  const bool is_name_list = std::holds_alternative<std::vector<std::string>*>(field.value);
  const bool is_schedule = std::holds_alternative<std::vector<NeighbourhoodFrom>*>(field.value);
  const bool may_be_name =
      is_schedule || is_operator(field) || std::holds_alternative<Model*>(field.value);
  if ((is_name_list || is_schedule) && text.starts_with('[')) return parse(text, where);
  if (may_be_name && text.starts_with('{')) return parse(text, where);
  if (is_name_list) return split_at_commas(text);
  if (may_be_name || std::holds_alternative<std::string*>(field.value)) return Json(text);
  return number_or_text(text);
}

void expect_utf8(const Json& value, std::string_view where) {
  try {
    static_cast<void>(value.dump());
  } catch (const Json::type_error&) {
    throw ConfigError(std::string(where) + ": expected UTF-8, found " + shown(value));
  }
}

struct ToJson {
  template <class T>
  Json operator()(const T* value) const {
    return *value;
  }
  Json operator()(const std::vector<NeighbourhoodFrom>* schedule) const {
    if (schedule->size() == 1 && schedule->front().generation == 0) {
      return schedule->front().neighbourhood;
    }
    Json list = Json::array();
    for (const NeighbourhoodFrom& entry : *schedule) {
      list.push_back({{"from", entry.generation}, {"neighbourhood", entry.neighbourhood}});
    }
    return list;
  }
  Json operator()(const Model* model) const { return Json::parse(model_text(*model)); }
  Json operator()(const Operator* written) const {
    if (written->parameters.empty()) return written->kind;
    Json object{{"kind", written->kind}};
    for (const auto& [name, value] : written->parameters) object[name] = value;
    return object;
  }
};

Json::json_pointer pointer(std::string path) {
  std::ranges::replace(path, '.', '/');
  return Json::json_pointer("/" + path);
}

}  // namespace

void check_json(std::string_view text, std::string_view source) {
  static_cast<void>(parse(text, source));
}

void apply_json(std::string_view text, std::string_view source, Experiment& experiment) {
  const Json root = parse(text, source);
  if (!root.is_object()) fail(source, "an object of settings", root);
  apply_object(root, "", std::string(source), fields(experiment));
}

void apply_file(const std::filesystem::path& file, Experiment& experiment) {
  apply_json(read_text_file(file, "configuration", kMaxFileBytes), file.string(), experiment);
}

void apply_value(std::string_view path, std::string_view value, std::string_view where,
                 Experiment& experiment) {
  const std::vector<Field> all = fields(experiment);
  const Field* field = find_field(all, path);
  const Field* owner = field == nullptr ? find_operator_of(all, path) : nullptr;
  if (owner != nullptr) {
    const std::string key(path.substr(path.rfind('.') + 1));
    const Json part = key == "kind" ? Json(value) : number_or_text(value);
    expect_utf8(part, where);
    return assign(*owner, Json{{key, part}}, "--set " + owner->path);
  }
  if (field == nullptr && is_section(all, std::string(path))) {
    fail(where, "one of its settings", std::string(path));
  }
  if (field == nullptr) fail_unknown(where, path, all);
  const Json json = value_from_command_line(*field, value, where);
  expect_utf8(json, where);
  if (is_operator(*field) && json.is_object()) {
    apply_operator(*field, json, std::string(where), all);
  } else {
    assign(*field, json, std::string(where));
  }
}

void apply_assignment(std::string_view assignment, Experiment& experiment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw ConfigError("--set: expected setting=value, for example data.batch_size=50; found \"" +
                      shortened(assignment) + "\"");
  }
  const std::string path(assignment.substr(0, equals));
  apply_value(path, assignment.substr(equals + 1), "--set " + shortened(path), experiment);
}

std::string to_json(const Experiment& experiment) {
  Experiment copy = experiment;
  Json root = Json::object();
  for (const Field& field : fields(copy)) {
    const Json value = std::visit(ToJson{}, field.value);
    // An operator's object may hold other settings beside its kind.
    root[pointer(field.path)] =
        is_operator(field) && value.is_string() ? Json{{"kind", value}} : value;
  }
  return root.dump(2) + "\n";
}

std::string value_text(const Field& field) {
  return std::visit(ToJson{}, field.value).dump();
}

std::uint64_t hash(const Experiment& experiment) {
  Experiment anywhere = experiment;
  anywhere.data.dir.clear();
  anywhere.data.own.path.clear();
  Hasher hasher;
  hasher.text(to_json(anywhere));
  return hasher.digest();
}

std::uint64_t lineage_hash(const Experiment& experiment) {
  Experiment copy = experiment;
  Hasher hasher;
  for (const Field& field : fields(copy)) {
    if (!field.may_change) hasher.text(field.path + "=" + value_text(field) + "\n");
  }
  return hasher.digest();
}

void expect_unchanged_settings(const Experiment& started, const Experiment& changed) {
  Experiment before = started;
  Experiment after = changed;
  const std::vector<Field> fields_before = fields(before);
  const std::vector<Field> fields_after = fields(after);
  for (std::size_t i = 0; i < fields_before.size(); ++i) {
    const Field& field = fields_before[i];
    const std::string now = value_text(fields_after[i]);
    if (field.may_change || value_text(field) == now) continue;
    throw ConfigError(field.path + ": a run is resumed as it was started, with " +
                      shortened(value_text(field)) + ", not " + shortened(now));
  }
}

}  // namespace lipizz::config
