// Where the arena is and who the bot is, from the environment.
#pragma once

#include <grpcpp/security/credentials.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace client {

/// An arena as one bot reaches it.
struct Endpoint {
  /// host:port or unix:///path.
  std::string address;
  /// The bot token; empty on a socket that is itself the bot's identity.
  std::string token;
  /// How the connection is encrypted, if it is.
  std::shared_ptr<grpc::ChannelCredentials> credentials;
};

/// The environment does not say enough; the message is one sentence with what to do.
class SettingsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What ARENA_ADDRESS, ARENA_TOKEN and, unless it is a Unix socket, ARENA_TLS, ARENA_TLS_CA, ARENA_TLS_CERT
/// and ARENA_TLS_KEY say. Throws SettingsError if there is no address, the token
/// cannot be sent, or a file cannot be read.
Endpoint EndpointFromEnvironment();

}  // namespace client
