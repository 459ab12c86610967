#include "sweep/claims.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "checkpoint/source_file.hpp"
#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/random_id.hpp"
#include "core/text.hpp"

namespace lipizz::sweep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kMostBytes = 1 << 14;
constexpr const char* kEnd = ".end";

fs::path path_of(const fs::path& folder, const std::string& id, std::uint32_t n) {
  return folder / (id + "." + std::to_string(n));
}

[[noreturn]] void fail(const char* action, const fs::path& path, int error,
                       const std::string& hint = "check that it may be written to and has room") {
  throw CheckpointError("cannot " + std::string(action) + " " + path.string() + ": " +
                        std::generic_category().message(error) + "; " + hint);
}

// Nothing where there is none, or it cannot be read.
std::optional<std::string> content_of(const fs::path& path) {
  if (is_missing(path)) return std::nullopt;
  try {
    const Bytes bytes = checkpoint::SourceFile(path).first(kMostBytes);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  } catch (const CheckpointError&) {  // as of a file that is damaged
    return std::string();
  }
}

// `ID.N` or `ID.N.end`; nothing for every other name.
struct ClaimName {
  std::string id;
  LastClaim claim;
};
std::optional<ClaimName> parse_name(std::string name) {
  ClaimName parsed;
  parsed.claim.is_ended = name.ends_with(kEnd);
  if (parsed.claim.is_ended) name.resize(name.size() - std::string_view(kEnd).size());
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || dot == 0) return std::nullopt;
  const auto n = parse_number<std::uint32_t>(std::string_view(name).substr(dot + 1));
  if (!n || *n == 0) return std::nullopt;
  parsed.id = name.substr(0, dot);
  parsed.claim.n = *n;
  return parsed;
}

bool is_same_file(const fs::path& path, int descriptor) {
  struct stat there {};
  struct stat own {};
  return ::stat(path.c_str(), &there) == 0 && ::fstat(descriptor, &own) == 0 &&
         there.st_dev == own.st_dev && there.st_ino == own.st_ino;
}

}  // namespace

std::map<std::string, LastClaim> newest_claims(const fs::path& folder) {
  std::map<std::string, LastClaim> newest;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const auto parsed = parse_name(entry->path().filename().string());
    if (!parsed) continue;
    LastClaim& known = newest[parsed->id];
    if (parsed->claim.n > known.n) known = parsed->claim;
    if (parsed->claim.n == known.n) known.is_ended = known.is_ended || parsed->claim.is_ended;
  }
  if (failure && failure != std::errc::no_such_file_or_directory) {
    throw CheckpointError("cannot read the folder " + folder.string() + ": " + failure.message() +
                          "; check its permissions");
  }
  return newest;
}

std::optional<Holder> holder_of(const fs::path& folder, const std::string& id, std::uint32_t n) {
  const fs::path path = path_of(folder, id, n);
  const auto content = content_of(path);
  if (!content) return std::nullopt;
  Holder holder = parse_holder(*content).value_or(Holder{});
  std::error_code unknown;
  holder.last_sign = fs::last_write_time(path, unknown);
  return holder;
}

std::optional<ClaimEnd> end_of(const fs::path& folder, const std::string& id, std::uint32_t n) {
  const auto content = content_of(path_of(folder, id, n).string() + kEnd);
  if (!content) return std::nullopt;
  return parse_claim_end(*content);
}

std::optional<Holder> parse_holder(std::string_view json) {
  try {
    const Json found = Json::parse(json);
    return Holder{
        .process = ProcessIdentity{.host = found.at("host").get<std::string>(),
                                   .boot = found.at("boot").get<std::string>(),
                                   .pid_namespace = found.at("pid_namespace").get<std::string>(),
                                   .pid = found.at("pid").get<std::uint32_t>(),
                                   .start = found.at("start").get<std::uint64_t>()},
        .job = found.at("job").get<std::string>(),
        .last_sign = {}};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::optional<ClaimEnd> parse_claim_end(std::string_view json) {
  try {
    const Json found = Json::parse(json);
    return ClaimEnd{.exit_code = found.at("exit_code").get<int>(),
                    .text = found.at("text").get<std::string>()};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

bool is_stale(const Holder& holder, fs::file_time_type now) {
  const auto alive = holder.process ? is_alive(*holder.process) : std::nullopt;
  if (alive) return !*alive;
  return std::chrono::duration<double>(now - holder.last_sign).count() > kSilence_s;
}

Claimer::Claimer(fs::path folder, ProcessIdentity identity, std::string job)
    : folder_(std::move(folder)) {
  const Json json{
      {"host", identity.host}, {"boot", identity.boot},   {"pid_namespace", identity.pid_namespace},
      {"pid", identity.pid},   {"start", identity.start}, {"job", std::move(job)}};
  content_ = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  make_folders(folder_);
  make_file();
}

Claimer::~Claimer() {
  for (const int descriptor : descriptors_) ::close(descriptor);
  ::unlink(file_.c_str());  // claims go on under their own names
}

// Whole before anybody can link it.
void Claimer::make_file() {
  file_ = folder_ / ("claimer-" + random_id());
  const int descriptor =
      ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("create", file_, errno);
  descriptors_.push_back(descriptor);
  if (::write(descriptor, content_.data(), content_.size()) !=
          static_cast<ssize_t>(content_.size()) ||
      ::fsync(descriptor) != 0) {
    fail("write", file_, errno);
  }
  beat();
}

// Where a sign cannot be given, the process is taken for dead in the end, as it has to be.
void Claimer::beat() {
  for (const int descriptor : descriptors_) static_cast<void>(::futimens(descriptor, nullptr));
  std::error_code unknown;
  const fs::file_time_type time = fs::last_write_time(file_, unknown);
  if (!unknown) now_ = time;
}

bool Claimer::claim(const std::string& id, std::uint32_t n) {
  const fs::path name = path_of(folder_, id, n);
  if (::link(file_.c_str(), name.c_str()) == 0) return true;
  const int error = errno;
  if (is_same_file(name, descriptors_.back())) return true;  // the answer to the first try was lost
  if (error == EEXIST) return false;
  if (error == EMLINK) {
    ::unlink(file_.c_str());
    make_file();
    return claim(id, n);
  }
  fail("claim a run as", name, error,
       "claims are hard links; put the sweep on a file system that has them (--output)");
}

void Claimer::end(const std::string& id, std::uint32_t n, const ClaimEnd& end) {
  const Json json{{"exit_code", end.exit_code}, {"text", end.text}};
  write_atomically(path_of(folder_, id, n).string() + kEnd,
                   json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool Claimer::still_has(const std::string& id, std::uint32_t n) const {
  return is_missing(path_of(folder_, id, n + 1));
}

}  // namespace lipizz::sweep
