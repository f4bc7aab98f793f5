// One connection to the arena.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <deque>
#include <memory>
#include <mutex>

#include "arena/v1/play.grpc.pb.h"
#include "client/inbox.h"
#include "client/settings.h"

namespace client {

/// A Play call. gRPC's threads read its frames into the inbox and write what is sent, so nothing here ever
/// waits for the arena, and pings and assignments are answered at once, however long the bot thinks.
class Connection final : private grpc::ClientBidiReactor<arena::v1::PlayRequest, arena::v1::PlayResponse> {
 public:
  /// Begins to connect. `hello` is said once the arena has accepted the call.
  Connection(const Endpoint& endpoint, arena::v1::ClientMessage hello, Inbox& inbox);
  /// The call is over, and its news are gone from the inbox.
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// The message goes out after those sent before. Errors show when the call ends.
  void Send(arena::v1::ClientMessage message);
  /// After what was sent before, the arena is told that nothing more comes.
  void HalfClose();

 private:
  void OnReadInitialMetadataDone(bool ok) override;
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  /// Whether frames may be written.
  enum class Writing { kNotYet, kAllowed, kOver };

  void AnswerAtOnce(const arena::v1::ServerMessage& message);
  void WriteWaiting();

  Inbox& inbox_;
  grpc::ClientContext context_;
  std::unique_ptr<arena::v1::PlayService::Stub> stub_;
  arena::v1::PlayResponse incoming_;

  std::mutex mutex_;  // Guards what follows: no write may start once the reading has ended.
  std::deque<arena::v1::ClientMessage> waiting_;
  arena::v1::PlayRequest outgoing_;
  Writing writing_ = Writing::kNotYet;
  bool write_runs_ = false;
  bool half_close_ = false;
};

}  // namespace client
