#include "app/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/launcher.hpp"
#include "comm/mpi_session.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

using Colours = report::TerminalStyle::Colours;
using Variable = std::function<std::string(const std::string&)>;

std::string variable_of_process(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

Colours colours_of(const Variable& variable) {
  const std::string terminal = variable("TERM");
  if (!variable("NO_COLOR").empty() || terminal.starts_with("vt")) return Colours::kNone;
  const std::string named = variable("COLORTERM");
  const bool has_all = named == "truecolor" || named == "24bit" || terminal.ends_with("-direct");
  return has_all ? Colours::kTrue : Colours::k256;
}

bool shows_unicode(const Variable& variable) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = variable(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

std::uint32_t size_in(const std::string& text, std::uint32_t otherwise) {
  const auto size = parse_number<std::uint32_t>(text);
  return size && *size > 0 && *size <= 10'000 ? *size : otherwise;
}

// The words behind the name of the program, which may hold anything: state, parent, process group,
// session, terminal, process group in front.
std::istringstream behind_name(const std::string& stat) {
  return std::istringstream(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
}

std::string stat_of(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string line;
  std::getline(file, line);
  return line;
}

std::string parent_of(const std::string& process) {
  std::istringstream words = behind_name(stat_of(process));
  std::string state;
  std::string parent;
  words >> state >> parent;
  return parent;
}

// The file that a stream of mpirun leads to.
std::string stream_of_launcher(int stream) {
  std::error_code failure;
  return std::filesystem::read_symlink(
             "/proc/" + std::to_string(getppid()) + "/fd/" + std::to_string(stream), failure)
      .string();
}

bool is_terminal(const std::string& file) {
  return file.starts_with("/dev/pts/") || file.starts_with("/dev/tty") || file == "/dev/console";
}

// mpirun gives every rank a terminal of its own making.
int open_terminal() {
  if (isatty(STDOUT_FILENO) != 1) return -1;
  const std::string file =
      comm::started_by_launcher() ? stream_of_launcher(STDOUT_FILENO) : "/proc/self/fd/1";
  if (comm::started_by_launcher() && !is_terminal(file)) return -1;
  return ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

std::string owner_of_terminal() {
  if (!comm::started_by_launcher()) return "self";
  const std::string mpirun = std::to_string(getppid());
  return launch_id().empty() ? mpirun : parent_of(mpirun);
}

int signals_to_go_on() {
  sigset_t continued;
  sigemptyset(&continued);
  sigaddset(&continued, SIGCONT);
  pthread_sigmask(SIG_BLOCK, &continued, nullptr);
  return signalfd(-1, &continued, SFD_NONBLOCK | SFD_CLOEXEC);
}

}  // namespace

std::optional<report::TerminalStyle> style_of_environment(const Variable& variable) {
  const std::string terminal = variable("TERM");
  if (terminal.empty() || terminal == "dumb") return std::nullopt;
  const report::TerminalStyle usual;
  return report::TerminalStyle{.columns = size_in(variable("COLUMNS"), usual.columns),
                               .rows = size_in(variable("LINES"), usual.rows),
                               .colours = colours_of(variable),
                               .has_unicode = shows_unicode(variable)};
}

bool is_in_front(const std::string& stat) {
  std::istringstream words = behind_name(stat);
  std::string state;
  long parent = 0;
  long group = 0;
  long session = 0;
  long terminal = 0;
  long in_front = 0;
  if (!(words >> state >> parent >> group >> session >> terminal >> in_front)) return false;
  return state != "T" && state != "t" && (terminal == 0 || group == in_front);
}

Terminal::Terminal() : output_(STDOUT_FILENO), descriptor_(open_terminal()) {
  if (descriptor_ < 0) return;
  style_ = style_of_environment(variable_of_process);
  owner_ = owner_of_terminal();
  continued_ = signals_to_go_on();
}

Terminal::~Terminal() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (continued_ >= 0) ::close(continued_);
}

std::optional<report::TerminalStyle> Terminal::style() {
  output_.write({});
  if (!style_ || !output_.is_empty()) return std::nullopt;
  if (!is_in_front(stat_of(owner_))) {
    is_away_ = true;
    return std::nullopt;
  }
  pollfd asked{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  if (::poll(&asked, 1, 0) != 1 || (asked.revents & POLLOUT) == 0) return std::nullopt;
  report::TerminalStyle now = *style_;
  winsize size{};
  if (::ioctl(descriptor_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    now.columns = size.ws_col;
    now.rows = size.ws_row;
  }
  return now;
}

bool Terminal::was_away() {
  signalfd_siginfo signal{};
  while (::read(continued_, &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal)) {
    is_away_ = true;
  }
  return std::exchange(is_away_, false);
}

bool errors_come_to_a_terminal() {
  if (comm::started_by_launcher()) return is_terminal(stream_of_launcher(STDERR_FILENO));
  return isatty(STDERR_FILENO) == 1;
}

}  // namespace lipizz::app
