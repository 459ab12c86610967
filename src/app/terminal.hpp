#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/patient_output.hpp"
#include "report/screen.hpp"

namespace lipizz::app {

/// A terminal as the environment describes it: its colours (NO_COLOR, COLORTERM, TERM), whether it
/// shows more than ASCII (LC_ALL, LC_CTYPE, LANG), and its size (COLUMNS, LINES) where it does not
/// tell that itself; else 80x24. Nothing of one whose lines cannot be drawn over (TERM is dumb, or
/// missing). `variable` gives the value of a variable, empty where it is not set.
std::optional<report::TerminalStyle> style_of_environment(
    const std::function<std::string(const std::string&)>& variable);

/// Says whether a process may draw on its terminal, by its line in /proc/PID/stat: it is not
/// stopped, and the terminal, where it has one, is not another's at the moment.
bool is_in_front(const std::string& stat);

/// The standard output of this process. A rank of mpirun has none of its own: what counts is where
/// mpirun writes, and which program was typed, mpirun or the launch above it. To be made before
/// other threads, or after the signal CONT is blocked in all of them.
class Terminal final : public report::Screen {
 public:
  Terminal();
  ~Terminal() override;

  [[nodiscard]] bool is_terminal() const override { return style_.has_value(); }
  std::optional<report::TerminalStyle> style() override;
  bool was_away() override;
  void write(const std::string& text) override { output_.write(text); }

 private:
  PatientOutput output_;
  std::optional<report::TerminalStyle> style_;  // but for the size
  int descriptor_ = -1;                         // of the terminal
  int continued_ = -1;                          // reads the signals that this process went on
  std::string owner_;                           // the process that has the terminal, in /proc
  bool is_away_ = false;
};

/// True when the errors of this process come to a terminal, of its own or of mpirun's.
bool errors_come_to_a_terminal();

}  // namespace lipizz::app
