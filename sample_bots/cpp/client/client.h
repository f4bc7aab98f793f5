// Keeps a session alive over its connections until there is a reason to end the program.
#pragma once

#include "client/inbox.h"
#include "client/session.h"
#include "client/settings.h"
#include "client/visit.h"

namespace client {

/// Plays until the arena says goodbye for good or, once the inbox has got the wish to leave, the running
/// matches are over.
ExitCode Play(Session& session, const Endpoint& endpoint, Inbox& inbox);

}  // namespace client
