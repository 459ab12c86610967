#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "comm/comm_manager.hpp"
#include "core/error.hpp"

namespace lipizz::comm {

/// The messages of a CommManager, for a test's thread to wait for.
class Inbox {
 public:
  /// `on_message`, if given, sees each message first, in the thread that hands it over.
  [[nodiscard]] CommManager::Handlers handlers(std::function<void(const Message&)> on_message =
                                                   [](const Message&) {}) {
    return {[this, on_message = std::move(on_message)](Message message) {
              on_message(message);
              add(messages_, std::move(message));
            },
            [this](const PublicationHeader& header, Bytes payload) {
              add(publications_, std::pair(header, std::move(payload)));
            },
            [this](Rank claimed_source) { add(unauthenticated_, claimed_source); },
            [this](std::exception_ptr failure) { add(failures_, std::move(failure)); }};
  }

  [[nodiscard]] Message next_message() { return next(messages_); }
  [[nodiscard]] bool has_message() {
    const std::lock_guard lock(mutex_);
    return !messages_.empty();
  }
  [[nodiscard]] std::pair<PublicationHeader, Bytes> next_publication() {
    return next(publications_);
  }
  [[nodiscard]] Rank next_unauthenticated() { return next(unauthenticated_); }
  [[nodiscard]] std::string next_failure() {
    try {
      std::rethrow_exception(next(failures_));
    } catch (const CommError& error) {
      return error.what();
    }
  }

 private:
  template <class Item>
  void add(std::deque<Item>& items, Item item) {
    const std::lock_guard lock(mutex_);
    items.push_back(std::move(item));
    changed_.notify_all();
  }

  template <class Item>
  Item next(std::deque<Item>& items) {
    std::unique_lock lock(mutex_);
    // Only a failing test waits so long.
    if (!changed_.wait_for(lock, std::chrono::seconds(60), [&] { return !items.empty(); })) {
      throw std::runtime_error("nothing has come for a minute");
    }
    Item item = std::move(items.front());
    items.pop_front();
    return item;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
  std::deque<std::pair<PublicationHeader, Bytes>> publications_;
  std::deque<Rank> unauthenticated_;
  std::deque<std::exception_ptr> failures_;
};

}  // namespace lipizz::comm
