#pragma once

#include <stdexcept>
#include <string>

namespace lipizz {

/// The process returns one of these to its caller.
enum class ExitCode : int {
  kDone = 0,
  kUsage = 2,
  kCommunication = 3,
  kData = 4,
  kNumerics = 5,
  kCheckpoint = 6,
  kInternal = 70,
  kResumable = 75,
};

/// Base of everything that lipizz throws; carries the exit code that `main` returns for it.
///
/// The message says what was expected, what was found, where, and what to do. It is shown to the
/// user as it is, so it is one line without a trailing full stop and without the word "error".
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

/// A wrong option, key or value.
struct ConfigError : Error {
  explicit ConfigError(const std::string& message) : Error(ExitCode::kUsage, message) {}
};

/// A lost or misbehaving peer, or a call of the message layer that failed.
struct CommError : Error {
  explicit CommError(const std::string& message) : Error(ExitCode::kCommunication, message) {}
};

/// A dataset that is missing, damaged or not what its name says.
struct DataError : Error {
  explicit DataError(const std::string& message) : Error(ExitCode::kData, message) {}
};

/// Training that has no finite number left to go on with.
struct NumericError : Error {
  explicit NumericError(const std::string& message) : Error(ExitCode::kNumerics, message) {}
};

/// Saved state that cannot be written, or read back.
struct CheckpointError : Error {
  explicit CheckpointError(const std::string& message) : Error(ExitCode::kCheckpoint, message) {}
};

/// A broken invariant: a bug of ours.
struct InternalError : Error {
  explicit InternalError(const std::string& message) : Error(ExitCode::kInternal, message) {}
};

}  // namespace lipizz
