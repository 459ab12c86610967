#include "core/block_cache.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "core/out_of_memory.hpp"

namespace lipizz {
namespace {

// Sizes are multiples of this, of whatever size pages are.
constexpr std::size_t kGranule = std::size_t{64} << 10;
constexpr std::size_t kMostBlocks = 256;
// From here on a block has a huge page of 2 MB at least that is wholly its own.
constexpr std::size_t kLeastHuge = std::size_t{4} << 20;

// The address sanitizer watches over the heap alone.
#if defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer);
#elif defined(__SANITIZE_ADDRESS__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
constexpr std::size_t kLeastLarge = kIsSanitized ? SIZE_MAX : std::size_t{128} << 10;
constexpr BlockCache::Limits kLimits{.most_bytes = std::size_t{32} << 20,
                                     .slack_bytes = std::size_t{8} << 20};

std::size_t mapped_bytes(std::size_t n_bytes) {
  if (n_bytes > SIZE_MAX - kGranule) throw OutOfMemory(n_bytes);
  return (n_bytes + kGranule - 1) / kGranule * kGranule;
}

void* map(std::size_t n_bytes) {
  void* memory = mmap(nullptr, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // Where the system has no huge pages there are others.
  if (n_bytes >= kLeastHuge) static_cast<void>(madvise(memory, n_bytes, MADV_HUGEPAGE));
  return memory;
}

// Never destroyed: what is static may be freed after it would be.
BlockCache& block_cache() {
  static auto* const cache = new BlockCache(kLimits);
  return *cache;
}

}  // namespace

BlockCache::BlockCache(const Limits& limits) : limits_(limits) {
  kept_.reserve(kMostBlocks);
}

BlockCache::~BlockCache() {
  give_back(kept_bytes_);
}

void* BlockCache::allocate(std::size_t n_bytes) {
  const std::size_t n_mapped = mapped_bytes(n_bytes);
  const std::lock_guard lock(mutex_);
  // The newest is likeliest to be in a cache of the processor's.
  const auto found = std::find_if(kept_.rbegin(), kept_.rend(),
                                  [&](const Block& block) { return block.n_bytes == n_mapped; });
  if (found != kept_.rend()) {
    void* const memory = found->memory;
    kept_bytes_ -= n_mapped;
    kept_.erase(std::next(found).base());
    return memory;
  }
  give_back(std::min(n_mapped, kept_bytes_ - std::min(kept_bytes_, limits_.slack_bytes)));
  void* memory = map(n_mapped);
  if (memory == nullptr) {
    give_back(kept_bytes_);
    memory = map(n_mapped);
  }
  if (memory == nullptr) throw OutOfMemory(n_bytes);
  return memory;
}

void BlockCache::free(void* block, std::size_t n_bytes) noexcept {
  const std::size_t n_mapped = mapped_bytes(n_bytes);
  const std::lock_guard lock(mutex_);
  if (n_mapped > limits_.most_bytes) {
    munmap(block, n_mapped);
    return;
  }
  while (kept_.size() == kMostBlocks || kept_bytes_ > limits_.most_bytes - n_mapped) {
    give_back_oldest();
  }
  kept_.push_back({block, n_mapped});
  kept_bytes_ += n_mapped;
}

std::size_t BlockCache::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return kept_bytes_;
}

void BlockCache::give_back_oldest() {
  const Block oldest = kept_.front();
  kept_.erase(kept_.begin());
  kept_bytes_ -= oldest.n_bytes;
  munmap(oldest.memory, oldest.n_bytes);
}

// At least so many, or all that are kept.
void BlockCache::give_back(std::size_t n_bytes) {
  const std::size_t left = kept_bytes_ - std::min(n_bytes, kept_bytes_);
  while (kept_bytes_ > left) give_back_oldest();
}

void* allocate_aligned(std::size_t n_bytes) {
  if (n_bytes >= kLeastLarge) return block_cache().allocate(n_bytes);
  return ::operator new (n_bytes, std::align_val_t{kCacheLine});
}

void free_aligned(void* memory, std::size_t n_bytes) noexcept {
  if (n_bytes >= kLeastLarge) {
    block_cache().free(memory, n_bytes);
  } else {
    ::operator delete (memory, std::align_val_t{kCacheLine});
  }
}

}  // namespace lipizz
