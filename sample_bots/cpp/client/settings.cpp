#include "client/settings.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

namespace client {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// The content of the file that the variable names; empty if it names none.
std::string FileOf(const char* variable) {
  const std::string path = Variable(variable);
  if (path.empty()) return "";
  std::ostringstream content;
  errno = 0;
  // A folder can be opened, but not read; an empty file is of no use either.
  if (std::ifstream file(path); !file || !(content << file.rdbuf())) {
    const std::string why = errno ? std::generic_category().message(errno) : "it is empty";
    throw SettingsError(std::string(variable) + " names " + path + ", which cannot be read: " + why + ".");
  }
  return content.str();
}

std::shared_ptr<grpc::ChannelCredentials> CredentialsFor(const std::string& address) {
  if (address.starts_with("unix:")) return grpc::InsecureChannelCredentials();
  const grpc::SslCredentialsOptions options{.pem_root_certs = FileOf("ARENA_TLS_CA"),
                                            .pem_private_key = FileOf("ARENA_TLS_KEY"),
                                            .pem_cert_chain = FileOf("ARENA_TLS_CERT")};
  if (options.pem_private_key.empty() != options.pem_cert_chain.empty())
    throw SettingsError("ARENA_TLS_CERT and ARENA_TLS_KEY belong together: set both, or neither.");
  const bool has_files = !options.pem_root_certs.empty() || !options.pem_cert_chain.empty();
  if (!has_files && Variable("ARENA_TLS") != "1") return grpc::InsecureChannelCredentials();
  return grpc::SslCredentials(options);
}

/// The token; gRPC would print one that it cannot send, and abort.
std::string Token() {
  const std::string token = Variable("ARENA_TOKEN");
  if (std::ranges::any_of(token, [](unsigned char letter) { return letter < ' ' || letter > '~'; }))
    throw SettingsError("ARENA_TOKEN holds characters that cannot be sent.");
  return token;
}

}  // namespace

Endpoint EndpointFromEnvironment() {
  const std::string address = Variable("ARENA_ADDRESS");
  if (address.empty())
    throw SettingsError("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.");
  return {address, Token(), CredentialsFor(address)};
}

}  // namespace client
