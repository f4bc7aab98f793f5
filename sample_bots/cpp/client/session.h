// One presence of the bot at the arena, over one or more connections.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "arena/v1/play.pb.h"

namespace client {

/// The bot's own part: what it chooses. Whose decision it is gets filled in by the session.
using Choose = std::function<arena::v1::Answer(const arena::v1::Decision&)>;

/// What is the same in all connections of a bot.
struct Profile {
  /// The label of this program; a changed one is another bot version.
  std::string version;
  /// The id of the game it plays.
  std::string game;
  /// How many matches it takes on at once.
  uint32_t matches;
};

/// Knows which seats the bot holds, and what is to be said to each message. It belongs to the bot's thread.
class Session {
 public:
  /// The session begins with the first `welcome`.
  Session(Profile profile, Choose choose);

  /// The first message of a connection. It asks for the seats of the last one, if there was one.
  arena::v1::ClientMessage Hello() const;
  /// What is to be said to the message, if anything; pings and assignments are answered by the connection.
  /// Kinds of message that it does not know are ignored.
  std::optional<arena::v1::ClientMessage> Handle(const arena::v1::ServerMessage& message);

  /// The bot takes no new matches from now on; what is to be said is that, but not before the `welcome`.
  arena::v1::ClientMessage Leave();
  /// Whether `Leave` was called.
  bool leaving() const { return leaving_; }
  /// Whether a match runs, or may still be told of after a comeback.
  bool busy() const { return !seats_.empty() || to_be_told_ > 0; }
  /// The next hello does not ask for the seats of this session.
  void Forget();

 private:
  void OnWelcome(const arena::v1::Welcome& welcome);
  void OnAssigned(const arena::v1::Assigned& assigned);
  void OnWarning(const arena::v1::Warning& warning);
  void DropSeat(uint32_t assignment);
  void Tell(uint32_t assignment, const std::string& sentence) const;
  arena::v1::ClientMessage AnswerTo(const arena::v1::Decision& decision) const;
  arena::v1::Capacity CapacityNow() const;

  const Profile profile_;
  const Choose choose_;
  std::string resume_token_;
  std::map<uint32_t, std::string> seats_;  // The match of each assignment that runs.
  uint32_t to_be_told_ = 0;                // Assignments that go on and have not been told anew yet.
  bool leaving_ = false;
};

}  // namespace client
