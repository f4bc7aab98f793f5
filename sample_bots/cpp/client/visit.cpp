#include "client/visit.h"

#include <map>
#include <utility>

#include "client/say.h"

namespace client {
namespace {

using namespace std::chrono_literals;
using arena::v1::Goodbye;

/// The arena pings every 15 s: when nothing was read for so long the connection is dead, whatever the library
/// thinks.
constexpr auto kSilence = 40s;

/// How long the bot waits for the goodbye after it has half-closed, and for the end of the call after the
/// goodbye.
constexpr auto kGoodbyeWithin = 10s;

/// Statuses that another attempt would only meet again.
const std::map<grpc::StatusCode, std::string> kFinal = {
    {grpc::UNAUTHENTICATED, "UNAUTHENTICATED"},
    {grpc::PERMISSION_DENIED, "PERMISSION_DENIED"},
    {grpc::FAILED_PRECONDITION, "FAILED_PRECONDITION"},
    {grpc::INVALID_ARGUMENT, "INVALID_ARGUMENT"},
    {grpc::UNIMPLEMENTED, "UNIMPLEMENTED"},
};

}  // namespace

Visit::Visit(Session& session, const Endpoint& endpoint, Inbox& inbox)
    : session_(session),
      inbox_(inbox),
      address_(endpoint.address),
      connection_(endpoint, session.Hello(), inbox),
      patience_(Clock::now() + kSilence) {}

End Visit::Run() {
  while (!over_) {
    std::visit([this](const auto& news) { On(news); }, inbox_.Next(patience_));
    HalfCloseWhenIdle();
  }
  return *end_;
}

/// Each message in order; after a goodbye none counts.
void Visit::On(const arena::v1::PlayResponse& frame) {
  if (!end_ && !half_closed_) patience_ = Clock::now() + kSilence;
  for (const auto& message : frame.messages()) {
    if (end_) return;
    Handle(message);
  }
}

void Visit::On(const grpc::Status& status) {
  if (!end_) end_ = AfterLoss(status);
  over_ = true;
}

void Visit::On(LeaveWish) {
  const auto capacity = session_.Leave();
  if (welcomed_) connection_.Send(capacity);
}

void Visit::On(Silence) {
  if (!end_) end_ = half_closed_ ? End(ExitCode::kDone) : ComeBack("The arena has said nothing for 40 s.");
  over_ = true;
}

void Visit::Handle(const arena::v1::ServerMessage& message) {
  if (message.has_goodbye()) {
    end_ = AfterGoodbye(message.goodbye());
    GiveUpSoon();
    return;
  }
  welcomed_ = welcomed_ || message.has_welcome();
  if (auto reply = session_.Handle(message)) connection_.Send(*std::move(reply));
}

/// A bot that is to leave goes when nothing runs; without a connection that is at once.
void Visit::HalfCloseWhenIdle() {
  if (end_ || half_closed_ || !session_.leaving() || session_.busy()) return;
  if (!welcomed_) {
    end_ = ExitCode::kDone;
    over_ = true;
    return;
  }
  half_closed_ = true;
  connection_.HalfClose();
  GiveUpSoon();
}

void Visit::GiveUpSoon() { patience_ = Clock::now() + kGoodbyeWithin; }

End Visit::AfterGoodbye(const Goodbye& goodbye) {
  Say("The arena says goodbye: " + goodbye.sentence());
  if (goodbye.code() == Goodbye::CODE_DONE) return ExitCode::kDone;
  if (goodbye.code() == Goodbye::CODE_REPLACED) return ExitCode::kRefused;
  if (goodbye.code() == Goodbye::CODE_RESUME_INVALID) session_.Forget();
  if (session_.leaving()) return ExitCode::kDone;
  if (goodbye.come_back()) return ComeBack("The arena asks to come back.", goodbye.come_back_after_ms());
  return goodbye.code() == Goodbye::CODE_SHUTTING_DOWN ? ExitCode::kDone : ExitCode::kRefused;
}

End Visit::AfterLoss(const grpc::Status& status) const {
  if (half_closed_ && !session_.busy())
    return ExitCode::kDone;  // Else an assignment has crossed it: play on.
  if (status.ok()) return ComeBack("The arena has ended the connection without a goodbye.");
  if (const auto refusal = kFinal.find(status.error_code()); refusal != kFinal.end()) {
    Say("The arena at " + address_ + " refuses this bot: " + refusal->second + ": " + status.error_message());
    return ExitCode::kRefused;
  }
  return ComeBack("No connection to the arena at " + address_ + ": " + status.error_message() + ".");
}

Again Visit::ComeBack(std::string why, uint32_t after_ms) const {
  return {std::move(why), std::chrono::milliseconds(after_ms), welcomed_};
}

}  // namespace client
