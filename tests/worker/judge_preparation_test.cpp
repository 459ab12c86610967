#include "worker/judge_preparation.hpp"

#include <gmock/gmock.h>

#include <future>
#include <optional>
#include <stdexcept>

#include "core/error.hpp"

namespace lipizz::worker::judge_preparation_test {
namespace {

// Keeps what a preparation tells for the thread that waits for it.
struct Told {
  JudgePreparation::Outcome outcome() {
    return {.prepared = [this](Bytes bytes) { judge.set_value(std::move(bytes)); },
            .failed = [this](const std::exception_ptr& error) { failure.set_value(error); }};
  }
  std::promise<Bytes> judge;
  std::promise<std::exception_ptr> failure;
};

TEST(JudgePreparation, tells_the_judge) {
  Told told;
  const JudgePreparation preparation(
      [](const metrics::Progress&) { return Bytes(3, std::byte{7}); }, told.outcome());
  EXPECT_EQ(told.judge.get_future().get(), Bytes(3, std::byte{7}));
}

TEST(JudgePreparation, tells_its_error) {
  Told told;
  const JudgePreparation preparation(
      [](const metrics::Progress&) -> Bytes { throw DataError("no data"); }, told.outcome());
  EXPECT_THROW(std::rethrow_exception(told.failure.get_future().get()), DataError);
}

TEST(JudgePreparation, ends_where_nobody_waits_for_it_and_tells_nothing) {
  Told told;
  std::promise<void> begun;
  std::optional<JudgePreparation> preparation(
      std::in_place,
      [&](const metrics::Progress& progress) -> Bytes {
        begun.set_value();
        while (true) progress(0.5);
      },
      told.outcome());
  begun.get_future().wait();
  preparation.reset();
  told.judge.set_value({});  // which would throw where the outcome was told
  told.failure.set_value(nullptr);
}

}  // namespace
}  // namespace lipizz::worker::judge_preparation_test
