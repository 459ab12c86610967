#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "app/launch_plan.hpp"

namespace lipizz::app {

/// The command that answers with exit code 0 where a host does.
using HostQuestion = std::function<std::vector<std::string>(const Host&)>;

/// Those of the hosts that answer within `patience`, in their order. All are asked at the same
/// time, up to 64 at once, so that dead ones are waited for together. `environment` is added to
/// that of the question, whose output is thrown away.
std::vector<Host> answering(const std::vector<Host>& hosts, const HostQuestion& question,
                            const std::vector<std::string>& environment,
                            std::chrono::duration<double> patience);

}  // namespace lipizz::app
