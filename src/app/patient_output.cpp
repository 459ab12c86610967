#include "app/patient_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace lipizz::app {
namespace {

constexpr std::size_t kMostKept = 1 << 20;
constexpr auto kPatience = std::chrono::seconds(5);

// Not to wait is a property of what was opened, which others may share: it is opened anew. Files
// are not, which have a place of their own then and never let anybody wait.
int opened_anew(int descriptor) {
  struct stat what {};
  const bool may_wait =
      fstat(descriptor, &what) == 0 && (S_ISCHR(what.st_mode) || S_ISFIFO(what.st_mode));
  if (!may_wait) return -1;
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  return ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

}  // namespace

PatientOutput::PatientOutput(int descriptor) : descriptor_(opened_anew(descriptor)) {
  is_own_ = descriptor_ >= 0;
  if (!is_own_) descriptor_ = descriptor;
}

PatientOutput::~PatientOutput() {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!is_empty() && !is_closed_) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    pollfd waited{.fd = descriptor_, .events = POLLOUT, .revents = 0};
    if (left.count() <= 0 || ::poll(&waited, 1, static_cast<int>(left.count())) <= 0) break;
    offer();
  }
  if (is_own_) ::close(descriptor_);
}

void PatientOutput::write(std::string_view text) {
  if (is_closed_) return;
  if (kept_.size() + text.size() <= kMostKept) {
    kept_ += text;
  } else {
    n_left_out_ += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  }
  offer();
}

void PatientOutput::offer() {
  while (!kept_.empty()) {
    const ssize_t n = ::write(descriptor_, kept_.data(), kept_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      is_closed_ = errno != EAGAIN;
      return;
    }
    kept_.erase(0, static_cast<std::size_t>(n));
  }
  if (n_left_out_ == 0) return;
  kept_ = "(" + std::to_string(n_left_out_) + " lines were not shown: nobody read them)\n";
  n_left_out_ = 0;
  offer();
}

}  // namespace lipizz::app
