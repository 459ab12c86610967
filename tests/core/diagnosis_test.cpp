#include "core/diagnosis.hpp"

#include <gmock/gmock.h>

#include <system_error>

#include "core/out_of_memory.hpp"

namespace lipizz::diagnosis_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Diagnosis, of_an_error_is_what_it_says) {
  const Diagnosis diagnosis = diagnosis_of(DataError("torn"));
  EXPECT_EQ(diagnosis.code, ExitCode::kData);
  EXPECT_EQ(diagnosis.message, "torn");
}

TEST(Diagnosis, of_a_refused_allocation_has_its_size_and_what_to_do) {
  const Diagnosis diagnosis = diagnosis_of(OutOfMemory(12345));
  EXPECT_EQ(diagnosis.code, ExitCode::kUsage);
  EXPECT_THAT(diagnosis.message, StartsWith("out of memory: 12345 bytes were asked for in vain; "));
  EXPECT_THAT(diagnosis.message, HasSubstr("--dry-run tells what a run needs"));
}

TEST(Diagnosis, of_a_library_s_refused_allocation_is_no_bug_either) {
  const Diagnosis diagnosis = diagnosis_of(std::bad_alloc());
  EXPECT_EQ(diagnosis.code, ExitCode::kUsage);
  EXPECT_THAT(diagnosis.message, StartsWith("out of memory: a library got no more of it; "));
}

TEST(Diagnosis, of_a_thread_that_cannot_begin_is_no_bug) {
  const std::system_error refused(std::make_error_code(std::errc::resource_unavailable_try_again));
  EXPECT_EQ(diagnosis_of(refused).code, ExitCode::kUsage);
  EXPECT_THAT(diagnosis_of(refused).message, StartsWith("out of threads or of memory for one: "));
}

TEST(Diagnosis, of_anything_else_asks_to_report_it) {
  const Diagnosis diagnosis = diagnosis_of(std::out_of_range("at"));
  EXPECT_EQ(diagnosis.code, ExitCode::kInternal);
  EXPECT_EQ(diagnosis.message, "at (please report this)");
  EXPECT_EQ(diagnosis_of(std::system_error(std::make_error_code(std::errc::io_error))).code,
            ExitCode::kInternal);
}

TEST(Diagnosis, as_an_exception_keeps_an_error_and_replaces_what_is_none) {
  EXPECT_THROW(std::rethrow_exception(diagnosed(std::make_exception_ptr(CommError("gone")))),
               CommError);
  try {
    std::rethrow_exception(diagnosed(std::make_exception_ptr(OutOfMemory(7))));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("7 bytes"));
  }
}

}  // namespace
}  // namespace lipizz::diagnosis_test
