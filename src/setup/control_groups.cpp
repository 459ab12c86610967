#include "setup/control_groups.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "setup/system_file.hpp"

namespace lipizz::setup {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> number_in(const fs::path& file) {
  return SystemFile(file).number_of("");
}

// A group of version 1 without a limit has the largest number of whole pages.
std::optional<std::uint64_t> limit_in(const fs::path& file) {
  constexpr std::uint64_t kNone = std::uint64_t{1} << 60;
  const auto limit = number_in(file);
  return limit && *limit < kNone ? limit : std::nullopt;
}

std::uint64_t left(std::optional<std::uint64_t> limit, const fs::path& usage,
                   std::uint64_t otherwise) {
  return limit ? less(*limit, number_in(usage).value_or(0)) : otherwise;
}

// The figures that a version of control groups tells of each.
struct Version {
  const char* limit;
  std::uint64_t (*free_bytes)(const fs::path& group, std::uint64_t limit,
                              std::uint64_t free_swap_bytes);
};

std::uint64_t free_in_version_1(const fs::path& group, std::uint64_t limit,
                                std::uint64_t free_swap_bytes) {
  const SystemFile stat(group / "memory.stat");
  const std::uint64_t files = stat.number_of("total_inactive_file ").value_or(0) +
                              stat.number_of("total_active_file ").value_or(0);
  const std::uint64_t memory = left(limit, group / "memory.usage_in_bytes", 0) + free_swap_bytes;
  // This one counts swap too.
  const std::uint64_t both = left(limit_in(group / "memory.memsw.limit_in_bytes"),
                                  group / "memory.memsw.usage_in_bytes", memory);
  return std::min(memory, both) + files;
}

std::uint64_t free_in_version_2(const fs::path& group, std::uint64_t limit,
                                std::uint64_t free_swap_bytes) {
  const SystemFile stat(group / "memory.stat");
  const std::uint64_t reclaimable = stat.number_of("inactive_file ").value_or(0) +
                                    stat.number_of("active_file ").value_or(0) +
                                    stat.number_of("slab_reclaimable ").value_or(0);
  const std::uint64_t swap = std::min(
      free_swap_bytes,
      left(limit_in(group / "memory.swap.max"), group / "memory.swap.current", free_swap_bytes));
  return left(limit, group / "memory.current", 0) + reclaimable + swap;
}

constexpr Version kVersion1{"memory.limit_in_bytes", free_in_version_1};
constexpr Version kVersion2{"memory.max", free_in_version_2};

// A mounted tree of groups that bounds what a controller (memory, cpu) bounds: what is mounted of
// the whole tree, and where. Version 2 has one tree for all.
struct Tree {
  bool is_version_2;
  fs::path top;
  fs::path mounted_at;
};

bool names(const std::string& controllers, std::string_view controller) {
  const auto all = split(controllers, ',');
  return std::ranges::find(all, controller) != all.end();
}

// `35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory`
std::optional<Tree> tree_of(const std::string& mount, std::string_view controller) {
  std::istringstream words(mount);
  std::string skipped, top, mounted_at, word, options;
  words >> skipped >> skipped >> skipped >> top >> mounted_at;
  while (words >> word && word != "-") {
  }
  words >> word >> skipped >> options;
  if (word == "cgroup2") return Tree{true, top, mounted_at};
  const bool is_its = word == "cgroup" && names(options, controller);
  return is_its ? std::optional(Tree{false, top, mounted_at}) : std::nullopt;
}

// `0::/job` in version 2, `9:memory:/job` in version 1.
std::optional<fs::path> path_of_group(const Tree& tree, std::string_view controller,
                                      const std::string& line) {
  const auto parts = split(line, ':');
  if (parts.size() < 3) return std::nullopt;
  const bool is_its =
      tree.is_version_2 ? parts[0] == "0" && parts[1].empty() : names(parts[1], controller);
  return is_its ? std::optional<fs::path>(line.substr(parts[0].size() + parts[1].size() + 2))
                : std::nullopt;
}

// The group below the mount; its top where the group lies outside of what is mounted, as a
// container may see it.
fs::path below(const Tree& tree, const fs::path& group) {
  const fs::path relative = group.lexically_relative(tree.top);
  const bool is_outside = relative.empty() || *relative.begin() == "..";
  return is_outside || relative == "." ? fs::path() : relative;
}

std::uint64_t number_of_folder(const fs::path& folder) {
  struct stat status {};
  return stat(folder.c_str(), &status) == 0 ? status.st_ino : 0;
}

struct Group {
  bool is_version_2;
  fs::path path;    // as this process sees it
  fs::path folder;  // below `root`
};

// This process's group and each around it.
std::vector<Group> groups_of(const fs::path& root, std::string_view controller) {
  std::vector<Group> groups;
  const auto add = [&](const Tree& tree, const fs::path& group) {
    const fs::path path = group.empty() ? tree.mounted_at : tree.mounted_at / group;
    groups.push_back({tree.is_version_2, path, root / path.relative_path()});
  };
  const SystemFile own(root / "proc/self/cgroup");
  const SystemFile mounts(root / "proc/self/mountinfo");
  for (const std::string& mount : mounts.lines()) {
    const auto tree = tree_of(mount, controller);
    if (!tree) continue;
    for (const std::string& line : own.lines()) {
      const auto path = path_of_group(*tree, controller, line);
      if (!path) continue;
      add(*tree, {});
      for (fs::path group = below(*tree, *path); !group.empty(); group = group.parent_path()) {
        add(*tree, group);
      }
    }
  }
  return groups;
}

std::optional<comm::MemoryLimit> limit_of(const Group& group, std::uint64_t free_swap_bytes) {
  const Version& version = group.is_version_2 ? kVersion2 : kVersion1;
  const auto limit = limit_in(group.folder / version.limit);
  if (!limit) return std::nullopt;
  return comm::MemoryLimit{"the control group's " + (group.path / version.limit).string(),
                           version.free_bytes(group.folder, *limit, free_swap_bytes),
                           number_of_folder(group.folder)};
}

// Microseconds of processors in each period; `max` or -1: as many as there are.
std::optional<double> processors_of(const Group& group) {
  std::optional<std::uint64_t> quota, period;
  if (group.is_version_2) {  // `200000 100000`
    const SystemFile file(group.folder / "cpu.max");
    const auto words =
        file.lines().empty() ? std::vector<std::string>() : split(file.lines().front(), ' ');
    if (words.size() == 2) {
      quota = parse_number<std::uint64_t>(words[0]);
      period = parse_number<std::uint64_t>(words[1]);
    }
  } else {
    quota = number_in(group.folder / "cpu.cfs_quota_us");
    period = number_in(group.folder / "cpu.cfs_period_us");
  }
  if (!quota || !period || *quota == 0 || *period == 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace

std::vector<comm::MemoryLimit> limits_of_control_groups(const fs::path& root,
                                                        std::uint64_t free_swap_bytes) {
  std::vector<comm::MemoryLimit> limits;
  for (const Group& group : groups_of(root, "memory")) {
    auto limit = limit_of(group, free_swap_bytes);
    if (limit) limits.push_back(std::move(*limit));
  }
  return limits;
}

std::optional<double> processors_of_control_groups(const fs::path& root) {
  std::optional<double> fewest;
  for (const Group& group : groups_of(root, "cpu")) {
    const auto processors = processors_of(group);
    if (processors && (!fewest || *processors < *fewest)) fewest = processors;
  }
  return fewest;
}

}  // namespace lipizz::setup
