#include "client/signals.h"

#include <pthread.h>
#include <signal.h>

#include <cstdlib>
#include <utility>

#include "client/say.h"

namespace client {
namespace {

sigset_t LeavingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

/// Serves one signal after the other until it is told to stop.
void Serve(const std::stop_token& stop, const std::function<void()>& leave) {
  const sigset_t signals = LeavingSignals();
  for (bool first = true;; first = false) {
    int number;
    sigwait(&signals, &number);
    if (stop.stop_requested()) return;
    if (!first) {
      Say("Ended at once; running matches count as left.");
      std::_Exit(0);
    }
    leave();
  }
}

}  // namespace

Signals::Signals(std::function<void()> leave) {
  const sigset_t signals = LeavingSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = std::jthread(Serve, std::move(leave));
}

Signals::~Signals() {
  thread_.request_stop();
  pthread_kill(thread_.native_handle(), SIGTERM);  // Wakes it.
}

}  // namespace client
