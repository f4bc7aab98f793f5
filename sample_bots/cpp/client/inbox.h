// Everything that the bot's thread waits for, in one place.
#pragma once

#include <grpcpp/support/status.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <variant>

#include "arena/v1/play.pb.h"

namespace client {

using Clock = std::chrono::steady_clock;

/// The bot is to leave: it has got a signal.
struct LeaveWish {};
/// Nothing came in time.
struct Silence {};

/// What can come next; a status is the end of the call.
using News = std::variant<arena::v1::PlayResponse, grpc::Status, LeaveWish, Silence>;

/// Takes news from gRPC's threads and from that of the signals, and hands them to the bot's thread. It lives
/// as long as the program, and serves one connection at a time.
class Inbox {
 public:
  /// A frame has come.
  void Deliver(arena::v1::PlayResponse frame);
  /// The call is over; nothing more is delivered.
  void End(const grpc::Status& status);
  /// The bot is to leave; told once, after the frames that are there.
  void AskToLeave();

  /// The next news; waits for them until that time.
  News Next(Clock::time_point until);
  /// Waits until the call is over, and drops what was left of it.
  void AwaitEnd();

 private:
  bool HasNews() const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<arena::v1::PlayResponse> frames_;
  std::optional<grpc::Status> end_;
  bool leave_asked_ = false;
};

}  // namespace client
