#include "client/client.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "client/say.h"

namespace client {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds kFirstPause = 100ms;
constexpr milliseconds kLongestPause = 10s;

/// A bot that is to leave gives up its running matches after so many attempts to come back to them.
constexpr int kLeavingAttempts = 5;

/// Waits; not to the end if the bot is asked to leave meanwhile.
void Pause(milliseconds pause, Session& session, Inbox& inbox) {
  if (std::holds_alternative<LeaveWish>(inbox.Next(Clock::now() + pause))) session.Leave();
}

}  // namespace

ExitCode Play(Session& session, const Endpoint& endpoint, Inbox& inbox) {
  milliseconds pause = kFirstPause;
  int failures = 0;
  while (!session.leaving() || (session.busy() && failures < kLeavingAttempts)) {
    const End end = Visit(session, endpoint, inbox).Run();
    if (const auto* exit_code = std::get_if<ExitCode>(&end)) return *exit_code;
    const auto& again = std::get<Again>(end);
    if (again.welcomed) {
      pause = kFirstPause;
      failures = 0;
    } else {
      ++failures;
    }
    const milliseconds now = std::max(pause, again.after);
    Say(again.why + " Trying again in " + std::to_string(now.count()) + " ms.");
    Pause(now, session, inbox);
    pause = std::min(2 * pause, kLongestPause);
  }
  return ExitCode::kDone;
}

}  // namespace client
