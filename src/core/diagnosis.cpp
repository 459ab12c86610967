#include "core/diagnosis.hpp"

#include <system_error>

#include "core/out_of_memory.hpp"

namespace lipizz {
namespace {

std::string text_of(const std::bad_alloc& refused) {
  const auto* const known = dynamic_cast<const OutOfMemory*>(&refused);
  const std::string size = known != nullptr
                               ? std::to_string(known->n_bytes()) + " bytes were asked for in vain"
                               : "a library got no more of it";
  return "out of memory: " + size + kMemoryRemedy;
}

bool is_refused_thread(const std::system_error& error) {
  return error.code() == std::errc::resource_unavailable_try_again;
}

}  // namespace

Diagnosis diagnosis_of(const std::exception& error) {
  if (const auto* const known = dynamic_cast<const Error*>(&error))
    return {known->code(), known->what()};
  if (const auto* const refused = dynamic_cast<const std::bad_alloc*>(&error)) {
    return {ExitCode::kUsage, text_of(*refused)};
  }
  const auto* const of_system = dynamic_cast<const std::system_error*>(&error);
  if (of_system != nullptr && is_refused_thread(*of_system)) {
    return {ExitCode::kUsage,
            "out of threads or of memory for one: " + std::string(error.what()) + kMemoryRemedy};
  }
  return {ExitCode::kInternal, std::string(error.what()) + " (please report this)"};
}

std::exception_ptr diagnosed(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error&) {
    return failure;
  } catch (const std::exception& error) {
    const Diagnosis diagnosis = diagnosis_of(error);
    return std::make_exception_ptr(Error(diagnosis.code, diagnosis.message));
  }
}

}  // namespace lipizz
