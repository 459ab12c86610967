#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/bytes.hpp"
#include "data/dataset_source.hpp"

namespace lipizz::data {

/// Reads samples of files on threads of its own. How many there are, and what was expected, changes
/// when a sample is read, never what a reader gets. Any thread may call any function.
class SamplePrefetch {
 public:
  /// `files` must outlive it. n_threads: 1 or more.
  SamplePrefetch(const SampleFiles& files, std::size_t sample_bytes, std::uint32_t n_threads);
  SamplePrefetch(const SamplePrefetch&) = delete;
  SamplePrefetch& operator=(const SamplePrefetch&) = delete;
  ~SamplePrefetch();

  /// Begins to read these samples, and keeps them, with those of the call before, until they have
  /// been expected twice more.
  void expect(std::span<const std::uint32_t> samples);

  /// Calls `visit` with each of the samples, in order: those that were expected as soon as they
  /// are read, the others read now by this thread and the others. The errors of SampleFiles.
  void read(std::span<const std::uint32_t> samples,
            const std::function<void(std::size_t place, std::span<const std::byte>)>& visit);

 private:
  enum class State : std::uint8_t { kWaiting, kRead, kFailed };

  /// Samples that are read together, in order.
  struct Group {
    std::vector<std::uint32_t> samples;
    std::unordered_map<std::uint32_t, std::size_t> places;  // of each sample
    Bytes bytes;
    std::vector<State> states;
    std::size_t next = 0;  // that nobody has begun
  };
  struct Place {
    std::shared_ptr<Group> group;
    std::size_t index;
  };

  [[nodiscard]] std::shared_ptr<Group> make_group(std::span<const std::uint32_t> samples) const;
  /// Where the samples are or will be; puts a group of those that were not expected in the queue.
  std::vector<Place> places_of(std::span<const std::uint32_t> samples);
  void run();
  /// Reads the next sample of the group. `lock` is held, but not while it reads.
  void read_next(std::unique_lock<std::mutex>& lock, const std::shared_ptr<Group>& group);
  [[nodiscard]] std::span<std::byte> bytes_of(Group& group, std::size_t index) const;

  const SampleFiles& files_;
  std::size_t sample_bytes_;
  std::mutex mutex_;
  std::condition_variable has_work_;
  std::condition_variable has_read_;
  std::array<std::shared_ptr<Group>, 2> expected_;  // the newest first
  std::deque<std::shared_ptr<Group>> queue_;        // with samples that nobody has begun
  bool is_ending_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace lipizz::data
