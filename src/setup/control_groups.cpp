#include "setup/control_groups.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
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

// A mounted tree of groups that bounds memory: what is mounted of the whole tree, and where.
struct Tree {
  const Version* version;
  fs::path top;
  fs::path mounted_at;
};

// `35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory`
std::optional<Tree> tree_of(const std::string& mount) {
  std::istringstream words(mount);
  std::string skipped, top, mounted_at, word, options;
  words >> skipped >> skipped >> skipped >> top >> mounted_at;
  while (words >> word && word != "-") {
  }
  words >> word >> skipped >> options;
  const auto controllers = split(options, ',');
  if (word == "cgroup2") return Tree{&kVersion2, top, mounted_at};
  const bool is_memory = std::ranges::find(controllers, "memory") != controllers.end();
  return word == "cgroup" && is_memory ? std::optional(Tree{&kVersion1, top, mounted_at})
                                       : std::nullopt;
}

// `0::/job` in version 2, `9:memory:/job` in version 1.
std::optional<fs::path> path_of_group(const Version* version, const std::string& line) {
  const auto parts = split(line, ':');
  if (parts.size() < 3) return std::nullopt;
  const auto controllers = split(parts[1], ',');
  const bool is_memory = std::ranges::find(controllers, "memory") != controllers.end();
  const bool is_its = version == &kVersion2 ? parts[0] == "0" && parts[1].empty() : is_memory;
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

std::optional<comm::MemoryLimit> limit_of(const Tree& tree, const fs::path& root,
                                          const fs::path& group, std::uint64_t free_swap_bytes) {
  const fs::path folder = root / tree.mounted_at.relative_path() / group;
  const auto limit = limit_in(folder / tree.version->limit);
  if (!limit) return std::nullopt;
  return comm::MemoryLimit{
      "the control group's " + (tree.mounted_at / group / tree.version->limit).string(),
      tree.version->free_bytes(folder, *limit, free_swap_bytes), number_of_folder(folder)};
}

}  // namespace

std::vector<comm::MemoryLimit> limits_of_control_groups(const fs::path& root,
                                                        std::uint64_t free_swap_bytes) {
  std::vector<comm::MemoryLimit> limits;
  const auto add = [&](const Tree& tree, const fs::path& group) {
    auto limit = limit_of(tree, root, group, free_swap_bytes);
    if (limit) limits.push_back(std::move(*limit));
  };
  const SystemFile groups(root / "proc/self/cgroup");
  const SystemFile mounts(root / "proc/self/mountinfo");
  for (const std::string& mount : mounts.lines()) {
    const auto tree = tree_of(mount);
    if (!tree) continue;
    for (const std::string& line : groups.lines()) {
      const auto path = path_of_group(tree->version, line);
      if (!path) continue;
      add(*tree, {});
      for (fs::path group = below(*tree, *path); !group.empty(); group = group.parent_path()) {
        add(*tree, group);
      }
    }
  }
  return limits;
}

}  // namespace lipizz::setup
