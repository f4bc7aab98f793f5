// One connection of a session, from hello to the end of the call.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "client/connection.h"
#include "client/inbox.h"
#include "client/session.h"
#include "client/settings.h"

namespace client {

/// How the program ends; 1 is left to what nobody has foreseen.
enum class ExitCode {
  /// The bot has left in good order, or the arena has shut down.
  kDone = 0,
  /// The environment does not say where the arena is.
  kUsage = 2,
  /// The arena does not want this bot like this; starting it again would not help.
  kRefused = 3,
};

/// The connection is over; another one makes sense.
struct Again {
  /// In one sentence.
  std::string why;
  /// At the earliest after this time.
  std::chrono::milliseconds after;
  /// Whether the arena had let the bot in.
  bool welcomed;
};

/// How a connection ends.
using End = std::variant<ExitCode, Again>;

/// Serves one connection, in the bot's thread.
class Visit {
 public:
  /// Begins to connect.
  Visit(Session& session, const Endpoint& endpoint, Inbox& inbox);
  /// Serves the connection to its end; call it once.
  End Run();

 private:
  void On(const arena::v1::PlayResponse& frame);
  void On(const grpc::Status& status);
  void On(LeaveWish wish);
  void On(Silence silence);
  void Handle(const arena::v1::ServerMessage& message);
  void HalfCloseWhenIdle();
  void GiveUpSoon();
  End AfterGoodbye(const arena::v1::Goodbye& goodbye);
  End AfterLoss(const grpc::Status& status) const;
  Again ComeBack(std::string why, uint32_t after_ms = 0) const;

  Session& session_;
  Inbox& inbox_;
  const std::string address_;
  Connection connection_;
  Clock::time_point patience_;  // Until then something has to come.
  std::optional<End> end_;      // Known from the goodbye on.
  bool welcomed_ = false;
  bool half_closed_ = false;
  bool over_ = false;
};

}  // namespace client
