#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/run_training.hpp"
#include "core/error.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  lipizz::ExitCode code = lipizz::ExitCode::kInternal;
  std::string message;
  try {
    return lipizz::app::run(arguments, lipizz::app::run_training, std::cout);
  } catch (const lipizz::Error& error) {
    code = error.code();
    message = error.what();
  } catch (const std::exception& error) {
    message = std::string(error.what()) + " (please report this)";
  }
  std::fprintf(stderr, "lipizz: %s\n", message.c_str());
  return static_cast<int>(code);
}
