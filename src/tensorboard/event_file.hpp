#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/growing_file.hpp"
#include "core/histogram.hpp"
#include "tensorboard/picture.hpp"

namespace lipizz::tensorboard {

/// A file of TensorFlow's events in a folder, which TensorBoard shows as one of its runs. One
/// thread uses it, and each folder has one writer; the file is open while this is alive.
///
/// Each writer begins a file of its own, `events.out.tfevents.000001.lipizz` and so on, whatever
/// was written last in those before it: readers go through them by name, and drop what an earlier
/// file tells of steps from the first one of a later file on.
class EventFile {
 public:
  using Now = std::function<double()>;  // seconds since 1970

  /// Makes the folder and the file. Nothing is told of steps below `first_step`. CheckpointError
  /// when it cannot, and where 999,999 files are.
  EventFile(const std::filesystem::path& folder, std::int64_t first_step, Now now);
  EventFile(EventFile&&) noexcept;
  EventFile& operator=(EventFile&&) noexcept;
  ~EventFile();

  /// Adds to what will be told of a step, by tags, in which `/` makes groups. A figure that is not
  /// finite is left out, as is a histogram without counts.
  void add(const std::string& tag, double figure);
  void add(const std::string& tag, const Picture& picture);
  void add(const std::string& tag, const Histogram& histogram);
  /// Writes what was added, as one event; on a full disk it waits for room (core/growing_file.hpp).
  /// CheckpointError when it cannot be written.
  void write(std::int64_t step);

 private:
  struct Pending;

  GrowingFile file_;
  Now now_;
  std::unique_ptr<Pending> pending_;
};

}  // namespace lipizz::tensorboard
