#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <utility>

namespace lipizz {

/// Somebody asks a run to save itself and leave: a signal, say. Any thread may use it.
class StopRequest {
 public:
  using Listener = std::function<void()>;
  /// Hears of the request until it is destroyed, which waits for a call that is under way.
  class Subscription {
   public:
    Subscription(StopRequest& request, Listener listener);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

   private:
    StopRequest& request_;
    std::list<Listener>::iterator place_;
  };

  StopRequest() = default;
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// `reason` says in a few words who asks (`signal USR1`); the first one stays. Calls every
  /// listener before it returns, each once.
  void ask(std::string reason);
  /// Empty while nobody has asked.
  [[nodiscard]] std::string reason() const;
  /// `listener` is called on the thread that asks, or at once when somebody has asked before. It
  /// must return at once and not use this object.
  [[nodiscard]] Subscription subscribe(Listener listener) { return {*this, std::move(listener)}; }

 private:
  mutable std::mutex mutex_;
  std::string reason_;
  std::list<Listener> listeners_;
};

}  // namespace lipizz
