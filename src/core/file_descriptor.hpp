#pragma once

#include <unistd.h>

#include <utility>

namespace lipizz {

/// A descriptor as open(2) returns it, which is closed at the end unless it is released; below 0:
/// none, and errno says why where it was made.
class FileDescriptor {
 public:
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (value_ >= 0) ::close(value_);
  }
  [[nodiscard]] int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

}  // namespace lipizz
