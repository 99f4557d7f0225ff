#include "store/clickhouse/tls_session.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

#include <fmt/format.h>
#include <unistd.h>

namespace perfsift::store::clickhouse {
namespace {

// A record of TLS has at most this many bytes. A larger one would stay in memory until the network has taken all of it.
constexpr std::size_t most_of_record = SSL3_RT_MAX_PLAIN_LENGTH;

// Certificates of authorities, where distributions have them. OpenSSL knows one place, which is that of the
// distribution for which it was built: the libraries of a release run elsewhere, too.
constexpr std::array bundles = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Arch, Alpine, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, Red Hat
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // their later versions
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/ssl/cert.pem",                                  // the base system of Alpine
};

bool can_read(const char* file) { return access(file, R_OK) == 0; }

void trust_authorities(SSL_CTX* context) {
  openssl().trust_default_paths(context);  // $SSL_CERT_FILE and $SSL_CERT_DIR replace them
  const bool user_names_them = std::getenv("SSL_CERT_FILE") != nullptr || std::getenv("SSL_CERT_DIR") != nullptr;
  if (user_names_them || can_read(openssl().default_trusted_file())) return;
  const auto bundle = std::ranges::find_if(bundles, can_read);
  if (bundle != bundles.end()) openssl().trust_file(context, *bundle, nullptr);
}

SSL_CTX* make_context() {
  SSL_CTX* const context = openssl().new_context(openssl().client_method());
  if (context == nullptr) throw std::bad_alloc();
  openssl().control_context(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, nullptr);
  openssl().set_verify(context, SSL_VERIFY_PEER, nullptr);
  trust_authorities(context);
  return context;
}

// For all connections of the process: reading the certificates of all authorities takes longer than a request.
SSL_CTX* context() {
  static SSL_CTX* const of_process = make_context();
  return of_process;
}

// The certificate must be for the address if the user named an address, else for the name. Servers of several names
// choose their certificate by the name (SNI).
bool expect_host(SSL* session, const std::string& host) {
  if (openssl().expect_address(openssl().verify_param(session), host.c_str()) == 1) return true;
  std::string name = host;  // the function takes a pointer to changeable text
  return openssl().control_session(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data()) ==
             1 &&
         openssl().expect_name(session, host.c_str()) == 1;
}

int as_int(std::size_t size) { return static_cast<int>(std::min(size, most_of_record)); }

// No authority that is trusted has signed the certificate.
bool is_of_unknown_authority(long verified) {
  return verified == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT || verified == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN ||
         verified == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY;
}

}  // namespace

TlsSession::TlsSession(const std::string& host) : session_(openssl().new_session(context())) {
  if (session_ == nullptr) throw std::bad_alloc();
  from_network_ = openssl().new_bio(openssl().in_memory());
  to_network_ = openssl().new_bio(openssl().in_memory());
  if (from_network_ == nullptr || to_network_ == nullptr) throw std::bad_alloc();
  openssl().set_bio(session_.get(), from_network_, to_network_);
  if (!expect_host(session_.get(), host)) failure_ = "no name of a host";
}

template <typename Call>
TlsSession::Step TlsSession::step(const Call& call) {
  if (!failure_.empty()) return {.outcome = Outcome::failed};
  openssl().clear_errors();  // of the thread, which may have used OpenSSL for something else
  const int result = call();
  if (result > 0) return {.outcome = Outcome::done, .bytes = static_cast<std::size_t>(result)};
  switch (openssl().outcome(session_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return {.outcome = Outcome::needs_bytes};
    case SSL_ERROR_ZERO_RETURN:
      return {.outcome = Outcome::ended};
    default:
      failure_ = why_failed();
      return {.outcome = Outcome::failed};
  }
}

TlsSession::Step TlsSession::shake_hands() {
  return step([this] { return openssl().connect(session_.get()); });
}

TlsSession::Step TlsSession::read(void* to, std::size_t room) {
  return step([&] { return openssl().read(session_.get(), to, as_int(room)); });
}

TlsSession::Step TlsSession::write(const void* from, std::size_t size) {
  return step([&] { return openssl().write(session_.get(), from, as_int(size)); });
}

std::size_t TlsSession::outgoing(void* to, std::size_t room) {
  const int bytes = openssl().read_bio(to_network_, to, as_int(room));
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

void TlsSession::incoming(const void* bytes, std::size_t size) {
  if (openssl().write_bio(from_network_, bytes, static_cast<int>(size)) != static_cast<int>(size))
    throw std::bad_alloc();  // memory takes everything otherwise
}

std::string TlsSession::why_failed() const {
  const long verified = openssl().verify_result(session_.get());
  if (verified != X509_V_OK)
    return fmt::format("its certificate cannot be trusted: {}{}", openssl().verify_reason(verified),
                       is_of_unknown_authority(verified) ? "; SSL_CERT_FILE names authorities to trust" : "");
  const char* const reason = openssl().reason(openssl().next_error());
  return fmt::format("no TLS connection: {}", reason == nullptr ? "OpenSSL gives no reason" : reason);
}

}  // namespace perfsift::store::clickhouse
