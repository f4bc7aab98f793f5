// The smallest complete bot for Caravan: it plays any legal action. Copy it to begin (docs/bots/cpp.md).
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "arena/v1/play.grpc.pb.h"

using namespace arena::v1;

// The place, in the list of legal actions, of the one to play: put your own idea here.
uint32_t Choose(const Decision& decision) {
  static std::mt19937 dice{std::random_device{}()};
  return std::uniform_int_distribution<uint32_t>(0, decision.legal_actions_size() - 1)(dice);
}

std::string Setting(const char* name) { return std::getenv(name) ? std::getenv(name) : ""; }

[[noreturn]] void Stop(const std::string& sentence, int exit_code) {
  std::cerr << sentence << std::endl;
  std::exit(exit_code);
}

std::shared_ptr<grpc::ChannelCredentials> Credentials(const std::string& address) {
  const std::string path = Setting("ARENA_TLS_CA");
  const bool encrypted = !path.empty() || Setting("ARENA_TLS") == "1";
  if (!encrypted || address.starts_with("unix:")) return grpc::InsecureChannelCredentials();
  std::ostringstream authorities;  // None: those of the system.
  if (!path.empty() && !(authorities << std::ifstream(path).rdbuf()))
    Stop("ARENA_TLS_CA names " + path + ", which cannot be read.", 2);
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
  } else if (message.has_warning()) {
    std::cerr << message.warning().sentence() << std::endl;
  }
}

// Plays over one connection until it ends; returns the status that it ended with.
grpc::Status Play(const std::string& address, std::string& resume_token, Goodbye& goodbye) {
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
  for (PlayResponse frame; stream->Read(&frame);) {
    PlayRequest replies;
    for (const ServerMessage& message : frame.messages()) {
      Reply(message, replies);
      if (message.has_welcome()) resume_token = message.welcome().resume_token();
      if (message.has_goodbye()) goodbye = message.goodbye();
    }
    if (replies.messages_size() > 0) stream->Write(replies);
  }
  return stream->Finish();
}

int main() {
  // Without a goodbye these mean that the arena would only refuse the bot again.
  const std::set<int> refusals{grpc::UNAUTHENTICATED, grpc::PERMISSION_DENIED, grpc::FAILED_PRECONDITION,
                               grpc::INVALID_ARGUMENT, grpc::UNIMPLEMENTED};
  const std::string address = Setting("ARENA_ADDRESS");
  if (address.empty()) Stop("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.", 2);
  std::string resume_token;
  for (uint32_t pause_ms = 100;; pause_ms = std::min(2 * pause_ms, 10'000u)) {
    Goodbye goodbye;
    const std::string old_token = resume_token;
    const grpc::Status status = Play(address, resume_token, goodbye);
    const bool again = goodbye.code() ? goodbye.come_back() && goodbye.code() != Goodbye::CODE_REPLACED
                                      : !refusals.contains(status.error_code());
    const std::string why = goodbye.code() ? goodbye.sentence() : status.error_message();
    const bool good = goodbye.code() == Goodbye::CODE_DONE || goodbye.code() == Goodbye::CODE_SHUTTING_DOWN;
    if (!again) Stop(why, good ? 0 : 3);
    std::cerr << "Connection lost: " << why << std::endl;
    if (resume_token != old_token) pause_ms = 100;  // There was a welcome.
    if (goodbye.code() == Goodbye::CODE_RESUME_INVALID) resume_token.clear();
    std::this_thread::sleep_for(std::chrono::milliseconds(std::max(pause_ms, goodbye.come_back_after_ms())));
  }
}
