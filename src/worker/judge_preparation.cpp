#include "worker/judge_preparation.hpp"

#include <utility>

#include "coev/interrupted.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::worker {

JudgePreparation::JudgePreparation(Prepare prepare, Outcome outcome)
    : thread_([prepare = std::move(prepare),
               outcome = std::move(outcome)](const std::stop_token& stop) {
        nn::prepare_compute_thread();
        try {
          outcome.prepared(prepare([&stop](double) {
            if (stop.stop_requested()) throw coev::Interrupted();
          }));
        } catch (const coev::Interrupted&) {
          // Nobody waits for it any more.
        } catch (...) {
          outcome.failed(std::current_exception());
        }
      }) {}

}  // namespace lipizz::worker
