#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/process_identity.hpp"

namespace lipizz::sweep {

/// A folder that every host sees tells who trains which run, without a server.
///
/// A claim is a hard link. Each process that trains runs has a file of its own there
/// (`claimer-<random>`: its identity, in JSON), which it touches every few seconds; to claim run R
/// for the n-th time it links that file as `R.n`. The file system lets one link of a name succeed,
/// on NFS too, and a link whose answer was lost is known by the file that it leads to. Whoever has
/// a claim ends it by writing `R.n.end`. Nothing is ever renamed or removed, so nobody can take a
/// newer claim for an older one: taking over is claiming R.(n+1), which again one process can.
///
/// A claim may be taken over when its process is gone. The same kernel and container know that at
/// once, by number and start of the process. Others wait until its file has not been touched for
/// kSilence_s, by the file server's clock on both sides. docs/sweeps.md says what can still go
/// wrong, and why no run is trained twice at a time then.

/// A process on another host that has given no sign for so long is taken for dead.
inline constexpr double kSilence_s = 120;
/// How often a process gives a sign.
inline constexpr double kBeat_s = 10;

/// The newest claim of a run.
struct LastClaim {
  std::uint32_t n = 0;  // 0: none
  bool is_ended = false;
};

/// The process that made a claim.
struct Holder {
  std::optional<ProcessIdentity> process;  // none where the file is damaged
  std::string job;                         // of a scheduler; empty: none
  std::filesystem::file_time_type last_sign;
};

/// How a claim ended.
struct ClaimEnd {
  int exit_code = 0;
  std::string text;  // why, where it is an error
};

/// The newest claim of every run, by its id; empty where there is no such folder. CheckpointError
/// when it cannot be read.
std::map<std::string, LastClaim> newest_claims(const std::filesystem::path& folder);

/// Nothing where there is no such claim, or end of one.
std::optional<Holder> holder_of(const std::filesystem::path& folder, const std::string& id,
                                std::uint32_t n);
std::optional<ClaimEnd> end_of(const std::filesystem::path& folder, const std::string& id,
                               std::uint32_t n);

/// Read a claimer's file, and the end of a claim; nothing where it is damaged.
std::optional<Holder> parse_holder(std::string_view json);
std::optional<ClaimEnd> parse_claim_end(std::string_view json);

/// True where the claim may be taken over. `now` is the file server's.
bool is_stale(const Holder& holder, std::filesystem::file_time_type now);

/// This process as one that claims. Used by one thread.
class Claimer {
 public:
  /// Makes the folder where there is none. CheckpointError.
  Claimer(std::filesystem::path folder, ProcessIdentity identity, std::string job);
  Claimer(const Claimer&) = delete;
  Claimer& operator=(const Claimer&) = delete;
  ~Claimer();

  /// Gives a sign of life, and reads the file server's clock.
  void beat();
  [[nodiscard]] std::filesystem::file_time_type now() const { return now_; }

  /// Claims a run for the n-th time, n being one above its newest claim; false when another process
  /// was quicker. CheckpointError where that cannot be told, as on file systems without links.
  bool claim(const std::string& id, std::uint32_t n);
  /// Ends a claim of its own. CheckpointError.
  void end(const std::string& id, std::uint32_t n, const ClaimEnd& end);
  /// False once another process has taken over: it held this one for dead.
  [[nodiscard]] bool still_has(const std::string& id, std::uint32_t n) const;

 private:
  void make_file();

  std::filesystem::path folder_;
  std::string content_;
  std::filesystem::path file_;
  std::vector<int> descriptors_;  // of the file, and of those before it that have no link left
  std::filesystem::file_time_type now_;
};

}  // namespace lipizz::sweep
