#pragma once

#include <cstdint>
#include <filesystem>

namespace lipizz::checkpoint {

enum class LockState : std::uint8_t { kUnknown, kFree, kHeld };

/// Says whether a process, of whatever host, holds a lock on all of the file; one that is not there
/// is free. Asking disturbs nobody.
LockState lock_state(const std::filesystem::path& file);

/// False also where that cannot be told.
inline bool is_locked(const std::filesystem::path& file) {
  return lock_state(file) == LockState::kHeld;
}

}  // namespace lipizz::checkpoint
