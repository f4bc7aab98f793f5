// The greedy bot: docs/bots/greedy.md says how it plays, docs/bots/cpp.md how to start it.
#include <stdlib.h>

#include "client/client.h"
#include "client/inbox.h"
#include "client/say.h"
#include "client/session.h"
#include "client/settings.h"
#include "client/signals.h"
#include "greedy/policy.h"

namespace {

/// The same answer whenever the position is the same.
arena::v1::Answer Choose(const arena::v1::Decision& decision) {
  arena::v1::Answer answer;
  *answer.mutable_action()->mutable_caravan() = greedy::BestAction(decision.view().caravan());
  return answer;
}

}  // namespace

int main() {
  setenv("GRPC_VERBOSITY", "NONE", 0);  // What the library would print of a failure the bot says itself.
  client::Inbox inbox;
  const client::Signals signals([&inbox] { inbox.AskToLeave(); });
  try {
    client::Session session({.version = "1", .game = "caravan", .matches = 4}, Choose);
    return static_cast<int>(client::Play(session, client::EndpointFromEnvironment(), inbox));
  } catch (const client::SettingsError& error) {
    client::Say(error.what());
    return static_cast<int>(client::ExitCode::kUsage);
  }
}
