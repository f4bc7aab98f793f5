#include "client/connection.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>

#include <utility>

namespace client {
namespace {

/// Messages in a frame at most (docs/protocol.md, "Frames").
constexpr int kFrameMessages = 64;

/// Keepalive as docs/protocol.md, "Connecting", asks for.
grpc::ChannelArguments Arguments() {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 60'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // A Play call is never repeated by the library: coming back takes the resume token.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  return arguments;
}

}  // namespace

Connection::Connection(const Endpoint& endpoint, arena::v1::ClientMessage hello, Inbox& inbox)
    : inbox_(inbox),
      stub_(arena::v1::PlayService::NewStub(
          grpc::CreateCustomChannel(endpoint.address, endpoint.credentials, Arguments()))) {
  if (!endpoint.token.empty()) context_.AddMetadata("authorization", "Bearer " + endpoint.token);
  waiting_.push_back(std::move(hello));
  stub_->async()->Play(&context_, this);
  AddHold();  // Writes start from outside of the reactions; the end of the reading takes it back.
  StartRead(&incoming_);
  StartCall();
}

Connection::~Connection() {
  context_.TryCancel();
  inbox_.AwaitEnd();
}

void Connection::Send(arena::v1::ClientMessage message) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(message));
  WriteWaiting();
}

void Connection::HalfClose() {
  const std::lock_guard lock(mutex_);
  half_close_ = true;
  WriteWaiting();
}

/// Only now may anything be written: the reason of a refusal could be lost otherwise.
void Connection::OnReadInitialMetadataDone(bool ok) {
  const std::lock_guard lock(mutex_);
  if (writing_ == Writing::kNotYet) writing_ = ok ? Writing::kAllowed : Writing::kOver;
  WriteWaiting();
}

void Connection::OnReadDone(bool ok) {
  if (!ok) {
    {
      const std::lock_guard lock(mutex_);
      writing_ = Writing::kOver;
    }
    RemoveHold();
    return;
  }
  for (const auto& message : incoming_.messages()) AnswerAtOnce(message);
  inbox_.Deliver(std::exchange(incoming_, {}));
  StartRead(&incoming_);
}

/// What takes no thought. An assignment that is told again after a comeback needs no `ready`, but one does no
/// harm.
void Connection::AnswerAtOnce(const arena::v1::ServerMessage& message) {
  arena::v1::ClientMessage reply;
  if (message.has_ping()) {
    reply.mutable_pong()->set_id(message.ping().id());
    Send(std::move(reply));
  } else if (message.has_assigned()) {
    reply.mutable_ready()->set_assignment(message.assigned().assignment());
    Send(std::move(reply));
  }
}

/// There is one write at a time; what is sent meanwhile goes into the next frame.
void Connection::WriteWaiting() {
  if (writing_ != Writing::kAllowed || write_runs_) return;
  outgoing_.Clear();
  while (!waiting_.empty() && outgoing_.messages_size() < kFrameMessages) {
    *outgoing_.add_messages() = std::move(waiting_.front());
    waiting_.pop_front();
  }
  if (outgoing_.messages_size() > 0) {
    write_runs_ = true;
    StartWrite(&outgoing_);
  } else if (half_close_) {
    writing_ = Writing::kOver;
    StartWritesDone();
  }
}

void Connection::OnWriteDone(bool ok) {
  const std::lock_guard lock(mutex_);
  write_runs_ = false;
  if (!ok) writing_ = Writing::kOver;  // The status will tell why.
  WriteWaiting();
}

void Connection::OnDone(const grpc::Status& status) { inbox_.End(status); }

}  // namespace client
