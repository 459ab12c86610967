#pragma once

#include <functional>
#include <mutex>

#include "core/bytes.hpp"

namespace lipizz::worker {

/// The bytes of a cell's state (worker/cell_file.hpp), encoded when they are first asked for. Most
/// states are replaced by the next generation's before anybody does. Any thread may ask.
class StateBytes {
 public:
  explicit StateBytes(Bytes bytes);
  /// `encode` is called once, on the thread that asks first, and dropped; where it throws, whoever
  /// asks next calls it again.
  explicit StateBytes(std::function<Bytes()> encode);

  [[nodiscard]] const Bytes& get() const;

 private:
  mutable std::mutex mutex_;
  mutable std::function<Bytes()> encode_;  // empty when they are there
  mutable Bytes bytes_;
};

}  // namespace lipizz::worker
