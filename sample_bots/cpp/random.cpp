// The smallest complete bot for Caravan: it plays any legal action. Copy it to begin (docs/bots/cpp.md).
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>
#include <sstream>
#include <thread>

#include "arena/v1/play.grpc.pb.h"

using namespace arena::v1;

constexpr uint32_t kFirstPauseMs = 100;  // Before the first attempt to come back.

// The place, in the list of legal actions, of the one to play: put your own idea here.
uint32_t Choose(const Decision& decision) {
  static std::mt19937 dice{std::random_device{}()};
  return std::uniform_int_distribution<uint32_t>(0, decision.legal_actions_size() - 1)(dice);
}

// What the bot expects of the match: that it ends as it stands. Nobody is sent it before the end.
Evaluation Expect(const Decision& decision) {
  Evaluation expected;
  for (const auto& seat : decision.view().caravan().seats()) expected.add_final_scores(seat.score());
  expected.set_line("as it stands");
  return expected;
}

std::string Setting(const char* name) { return std::getenv(name) ? std::getenv(name) : ""; }

[[noreturn]] void Misconfigured(const std::string& sentence) {
  std::cerr << sentence << std::endl;
  std::exit(2);
}

std::shared_ptr<grpc::ChannelCredentials> Credentials(const std::string& address) {
  const std::string path = Setting("ARENA_TLS_CA");
  const bool encrypted = !path.empty() || Setting("ARENA_TLS") == "1";
  if (!encrypted || address.starts_with("unix:")) return grpc::InsecureChannelCredentials();
  std::ostringstream authorities;  // None: those of the system.
  if (!path.empty() && !(authorities << std::ifstream(path).rdbuf()))
    Misconfigured("ARENA_TLS_CA names " + path + ", which cannot be read.");
  return grpc::SslCredentials({authorities.str(), "", ""});
}

PlayRequest FirstFrame(const std::string& resume_token) {
  PlayRequest frame;
  Hello& hello = *frame.add_messages()->mutable_hello();
  hello.set_lowest_protocol(1);
  hello.set_highest_protocol(1);
  hello.set_bot_version("1");
  hello.add_games()->set_game("caravan");
  hello.mutable_capacity()->set_matches(4);
  hello.mutable_capacity()->set_open_decisions(1);
  hello.set_language("cpp");
  hello.set_software("grpc++ " + grpc::Version());
  resume_token.empty() ? hello.set_claim(true) : hello.set_resume_token(resume_token);
  return frame;
}

// Adds the reply to one message. Kinds without a reply, unknown ones among them, are passed over.
void Reply(const ServerMessage& message, PlayRequest& replies) {
  if (message.has_ping()) {
    replies.add_messages()->mutable_pong()->set_id(message.ping().id());
  } else if (message.has_assigned()) {
    replies.add_messages()->mutable_ready()->set_assignment(message.assigned().assignment());
  } else if (message.has_decision()) {
    Answer& answer = *replies.add_messages()->mutable_answer();
    answer.set_assignment(message.decision().assignment());
    answer.set_decision(message.decision().decision());
    answer.set_index(Choose(message.decision()));
    *answer.mutable_evaluation() = Expect(message.decision());
  } else if (message.has_warning()) {
    std::cerr << message.warning().sentence() << std::endl;
  }
}

// Plays over one connection until it ends; returns the arena's last word, if it said one.
std::optional<Goodbye> Play(const std::string& address, std::string& resume_token, uint32_t& pause_ms) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);  // Coming back takes the resume token.
  const auto channel = grpc::CreateCustomChannel(address, Credentials(address), arguments);
  const auto arena = PlayService::NewStub(channel);
  grpc::ClientContext context;
  if (const auto token = Setting("ARENA_TOKEN"); !token.empty())
    context.AddMetadata("authorization", "Bearer " + token);
  const auto stream = arena->Play(&context);
  stream->WaitForInitialMetadata();
  stream->Write(FirstFrame(resume_token));  // Should a write fail, Read and Finish tell why.
  std::optional<Goodbye> goodbye;
  for (PlayResponse frame; stream->Read(&frame);) {
    PlayRequest replies;
    for (const ServerMessage& message : frame.messages()) {
      Reply(message, replies);
      if (message.has_goodbye()) goodbye = message.goodbye();
      if (message.has_welcome()) {
        resume_token = message.welcome().resume_token();
        pause_ms = kFirstPauseMs;
      }
    }
    if (replies.messages_size() > 0) stream->Write(replies);
  }
  const grpc::Status status = stream->Finish();
  std::cerr << (goodbye ? goodbye->sentence() : "No connection to the arena: " + status.error_message())
            << std::endl;
  return goodbye;
}

int main() {
  const std::string address = Setting("ARENA_ADDRESS");
  if (address.empty())
    Misconfigured("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.");
  const auto is_odd = [](unsigned char letter) { return letter < ' ' || letter > '~'; };
  if (std::ranges::any_of(Setting("ARENA_TOKEN"), is_odd))  // gRPC would print it and abort.
    Misconfigured("ARENA_TOKEN holds characters that cannot be sent.");
  std::string resume_token;
  for (uint32_t pause_ms = kFirstPauseMs;; pause_ms = std::min(2 * pause_ms, 10'000u)) {
    if (const auto goodbye = Play(address, resume_token, pause_ms)) {
      if (!goodbye->come_back()) return goodbye->code() == Goodbye::CODE_DONE ? 0 : 3;
      pause_ms = std::max(pause_ms, goodbye->come_back_after_ms());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
  }
}
