#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace lipizz {

/// Memory for what is large and comes and goes with every generation, as messages and copies of
/// networks do. Blocks come from the system, outside the heap, where blocks of several sizes would
/// leave holes. One that is freed is kept for the next of its size, since a page that comes from
/// the system again costs more than what is written to it (a caching allocator, as PyTorch has one
/// for GPUs). The system is asked for huge pages where blocks have room for one.
///
/// Before a block is mapped anew, kept ones of as many bytes are given back, but for `slack`. So no
/// more is mapped at any time than was in use at some time, and the slack. Any thread may use it.
class BlockCache {
 public:
  struct Limits {
    std::size_t most_bytes;   // that are kept; larger blocks are not
    std::size_t slack_bytes;  // down to which kept ones are given back for a new one, whole blocks
  };
  explicit BlockCache(const Limits& limits);
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;
  /// Gives back what is kept; blocks in use stay.
  ~BlockCache();

  /// At least n bytes of any value, aligned to a page. OutOfMemory when there is none.
  [[nodiscard]] void* allocate(std::size_t n_bytes);
  /// n_bytes as it was allocated with.
  void free(void* block, std::size_t n_bytes) noexcept;

  [[nodiscard]] std::size_t kept_bytes() const;

 private:
  struct Block {
    void* memory;
    std::size_t n_bytes;
  };
  void give_back_oldest();
  void give_back(std::size_t n_bytes);

  Limits limits_;
  mutable std::mutex mutex_;
  std::vector<Block> kept_;  // the oldest first; never more than it has room for
  std::size_t kept_bytes_ = 0;
};

/// Bytes that every array is aligned to: a cache line, and a full vector.
inline constexpr std::size_t kCacheLine = 64;

/// Memory of any value, aligned to a cache line: of the heap, or of the process's block cache where
/// it is large. OutOfMemory when there is none. Freed with the same n_bytes.
[[nodiscard]] void* allocate_aligned(std::size_t n_bytes);
void free_aligned(void* memory, std::size_t n_bytes) noexcept;

}  // namespace lipizz
