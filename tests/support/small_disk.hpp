#pragma once

#include <sys/mount.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temporary_folder.hpp"

namespace lipizz {

/// A file system of 64 KB in memory, where the test may mount one, with a file that fills it.
class SmallDisk {
 public:
  SmallDisk() : is_mounted_(mount("size=64k", 0)) {
    if (is_mounted_) std::ofstream(folder_ / "other") << std::string(std::size_t{128} << 10, 'o');
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (is_mounted_) ::umount(folder_.path().c_str());
  }

  [[nodiscard]] bool is_mounted() const { return is_mounted_; }
  std::filesystem::path operator/(std::string_view name) const { return folder_ / name; }
  /// Removes the file that fills it.
  void make_room() { std::filesystem::remove(folder_ / "other"); }
  /// From now on it holds a megabyte. False where that cannot be.
  bool grow() { return mount("size=1m", MS_REMOUNT); }

 private:
  bool mount(const char* options, unsigned long flags) {
    return ::mount("none", folder_.path().c_str(), "tmpfs", flags, options) == 0;
  }

  TemporaryFolder folder_;
  bool is_mounted_;
};

}  // namespace lipizz
