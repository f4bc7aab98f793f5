#include "client/session.h"

#include <grpcpp/grpcpp.h>

#include <utility>

#include "client/say.h"

namespace client {
namespace {

/// The version of proto/arena/v1/play.proto that this program speaks.
constexpr uint32_t kProtocol = 1;

}  // namespace

using arena::v1::ClientMessage;
using arena::v1::ServerMessage;

Session::Session(Profile profile, Choose choose) : profile_(std::move(profile)), choose_(std::move(choose)) {}

ClientMessage Session::Hello() const {
  ClientMessage message;
  auto& hello = *message.mutable_hello();
  hello.set_lowest_protocol(kProtocol);
  hello.set_highest_protocol(kProtocol);
  hello.set_bot_version(profile_.version);
  hello.add_games()->set_game(profile_.game);
  *hello.mutable_capacity() = CapacityNow();
  hello.set_language("cpp");
  hello.set_software("grpc++ " + grpc::Version());
  if (resume_token_.empty()) {
    hello.set_claim(true);  // A program that was started again takes over what its predecessor has lost.
  } else {
    hello.set_resume_token(resume_token_);
  }
  return message;
}

std::optional<ClientMessage> Session::Handle(const ServerMessage& message) {
  switch (message.kind_case()) {
    case ServerMessage::kWelcome:
      OnWelcome(message.welcome());
      if (leaving_) return Leave();
      break;
    case ServerMessage::kAssigned:
      OnAssigned(message.assigned());
      break;
    case ServerMessage::kDecision:
      return AnswerTo(message.decision());
    case ServerMessage::kDecisionClosed:
      Tell(message.decision_closed().assignment(), message.decision_closed().sentence());
      break;
    case ServerMessage::kAnswerIgnored:
      Tell(message.answer_ignored().assignment(), message.answer_ignored().sentence());
      break;
    case ServerMessage::kSeatEnded:
      Tell(message.seat_ended().assignment(), "seat forfeited: " + message.seat_ended().ending().sentence());
      DropSeat(message.seat_ended().assignment());
      break;
    case ServerMessage::kWithdrawn:
      Tell(message.withdrawn().assignment(), message.withdrawn().sentence());
      DropSeat(message.withdrawn().assignment());
      break;
    case ServerMessage::kMatchEnded:
      DropSeat(message.match_ended().assignment());
      break;
    case ServerMessage::kWarning:
      OnWarning(message.warning());
      break;
    case ServerMessage::kDraining:
      Say("The arena shuts down within " + std::to_string(message.draining().within_ms()) + " ms.");
      break;
    default:
      break;
  }
  return std::nullopt;
}

ClientMessage Session::Leave() {
  leaving_ = true;
  ClientMessage message;
  *message.mutable_capacity() = CapacityNow();
  return message;
}

void Session::Forget() {
  resume_token_.clear();
  seats_.clear();
  to_be_told_ = 0;
}

/// The seats are told anew if they go on; one that is not is over.
void Session::OnWelcome(const arena::v1::Welcome& welcome) {
  if (!seats_.empty() && !welcome.resumed())
    Say("The arena does not know this session any more; its matches are void and cost nothing.");
  seats_.clear();
  to_be_told_ = welcome.assignments();
  resume_token_ = welcome.resume_token();
  Say(welcome.bot_version() + " plays in session " + welcome.session() + ".");
}

void Session::OnAssigned(const arena::v1::Assigned& assigned) {
  if (to_be_told_ > 0) --to_be_told_;
  seats_[assigned.assignment()] = assigned.match();
}

/// Who was not ready in time has lost the seat.
void Session::OnWarning(const arena::v1::Warning& warning) {
  Say(warning.sentence());
  if (warning.code() == arena::v1::Warning::CODE_NO_SHOW) DropSeat(warning.assignment());
}

void Session::DropSeat(uint32_t assignment) { seats_.erase(assignment); }

void Session::Tell(uint32_t assignment, const std::string& sentence) const {
  const auto seat = seats_.find(assignment);
  Say((seat == seats_.end() ? "assignment " + std::to_string(assignment) : seat->second) + ": " + sentence);
}

ClientMessage Session::AnswerTo(const arena::v1::Decision& decision) const {
  ClientMessage message;
  auto& answer = *message.mutable_answer();
  answer = choose_(decision);
  answer.set_assignment(decision.assignment());
  answer.set_decision(decision.decision());
  return message;
}

arena::v1::Capacity Session::CapacityNow() const {
  arena::v1::Capacity capacity;
  capacity.set_matches(leaving_ ? 0 : profile_.matches);
  capacity.set_open_decisions(1);  // It thinks in one thread.
  return capacity;
}

}  // namespace client
