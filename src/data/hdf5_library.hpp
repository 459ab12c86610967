#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lipizz::data {

/// Held by whoever calls the HDF5 library, whose state is one for the whole process. The library
/// prints nothing meanwhile and loads no filters.
class Hdf5Lock {
 public:
  Hdf5Lock();

  /// The innermost complaint of a call that failed; the next call, or the end of an Hdf5Id, clears
  /// it.
  [[nodiscard]] std::string reason() const;

 private:
  std::scoped_lock<std::mutex> lock_;
};

/// An object of the HDF5 library, given back at the end under a lock that the caller holds.
class Hdf5Id {
 public:
  Hdf5Id() = default;
  explicit Hdf5Id(std::int64_t id) : id_(id) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Id();

  [[nodiscard]] bool is_valid() const { return id_ >= 0; }
  [[nodiscard]] std::int64_t get() const { return id_; }

 private:
  std::int64_t id_ = -1;
};

/// The datasets below the root that hard links lead to, each once, in the order of their names.
struct Hdf5Listing {
  std::vector<std::string> names;
  bool is_complete =
      true;  // false where there are more objects, or deeper ones, than are looked at
};

/// Lists them; nothing where the file cannot be walked.
std::optional<Hdf5Listing> list_datasets(const Hdf5Id& file);

}  // namespace lipizz::data
