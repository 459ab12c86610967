#include "app/host_check.hpp"

#include <algorithm>
#include <list>
#include <span>
#include <thread>

#include "app/child_process.hpp"

namespace lipizz::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kAtOnce = 64;
constexpr auto kPauseOfCheck = std::chrono::milliseconds(20);

// Whoever has not answered by then is killed.
void append_answering(std::span<const Host> hosts, const HostQuestion& question,
                      const std::vector<std::string>& environment,
                      std::chrono::duration<double> patience, std::vector<Host>& all) {
  std::list<ChildProcess> asked;
  for (const Host& host : hosts) {
    asked.emplace_back(question(host), environment,
                       ChildProcess::Surroundings{.output = ChildProcess::Output::kNone});
  }
  const auto begin = Clock::now();
  const auto has_ended = [](ChildProcess& each) { return each.poll().has_value(); };
  while (!std::ranges::all_of(asked, has_ended) && Clock::now() - begin < patience) {
    std::this_thread::sleep_for(kPauseOfCheck);
  }
  auto each = asked.begin();
  for (const Host& host : hosts) {
    if ((each++)->poll() == 0) all.push_back(host);
  }
}

}  // namespace

std::vector<Host> answering(const std::vector<Host>& hosts, const HostQuestion& question,
                            const std::vector<std::string>& environment,
                            std::chrono::duration<double> patience) {
  std::vector<Host> all;
  for (std::span<const Host> rest(hosts); !rest.empty();) {
    const auto now = rest.first(std::min(kAtOnce, rest.size()));
    append_answering(now, question, environment, patience, all);
    rest = rest.subspan(now.size());
  }
  return all;
}

}  // namespace lipizz::app
