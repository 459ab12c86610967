#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lipizz::app {

/// Writes text to a terminal or a pipe without ever waiting for whoever reads it. Text that is not
/// taken at once is kept, and offered again at the next call; where it becomes too much to keep, a
/// line says how much was left out. Where nobody reads any more, nothing is written. Used by one
/// thread.
class PatientOutput {
 public:
  /// A descriptor of this process, which stays as it is: the others that share it see no
  /// difference.
  explicit PatientOutput(int descriptor);
  PatientOutput(const PatientOutput&) = delete;
  PatientOutput& operator=(const PatientOutput&) = delete;
  /// Waits up to five seconds for what is kept to be taken.
  ~PatientOutput();

  void write(std::string_view text);
  /// True when everything has been taken.
  [[nodiscard]] bool is_empty() const { return kept_.empty() && n_left_out_ == 0; }

 private:
  void offer();

  int descriptor_;
  bool is_own_ = false;  // opened anew
  bool is_closed_ = false;
  std::string kept_;
  std::uint64_t n_left_out_ = 0;  // lines
};

}  // namespace lipizz::app
