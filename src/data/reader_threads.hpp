#pragma once

#include <cstdint>
#include <functional>

namespace lipizz::data {

/// Calls `work` for 0..n-1, in no order, on this thread and n_threads - 1 more; returns when all
/// are done. When some throw, no more are begun, and the caller gets the error of the first of
/// them: the same one with any number of threads, where an error depends on its index alone.
void for_each_on_threads(std::uint32_t n, std::uint32_t n_threads,
                         const std::function<void(std::uint32_t)>& work);

}  // namespace lipizz::data
