// SIGINT and SIGTERM: the bot finishes what is running and leaves.
#pragma once

#include <functional>
#include <thread>

namespace client {

/// Waits for the two signals in a thread of its own, which may lock and wait as no signal handler may. Make
/// it before any other thread is started, so that all of them leave the signals to it.
class Signals {
 public:
  /// The first signal calls `leave`; the second one ends the program at once.
  explicit Signals(std::function<void()> leave);
  /// Nobody waits for the signals any more; they stay blocked.
  ~Signals();

 private:
  std::jthread thread_;
};

}  // namespace client
