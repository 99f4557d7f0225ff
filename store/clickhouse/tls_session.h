// The client's end of a connection over TLS, without its socket: bytes from the network are put in, and bytes for the
// network are taken out.
//
// The server's certificate is verified, and must be for the host. Not thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "store/clickhouse/openssl.h"

namespace perfsift::store::clickhouse {

class TlsSession {
 public:
  enum class Outcome {
    done,
    needs_bytes,  // from the network; then the step is repeated with the same arguments
    ended,        // by the server, in the way of TLS: nothing was cut off
    failed,       // failure() says why
  };
  struct Step {
    Outcome outcome = Outcome::failed;
    std::size_t bytes = 0;  // that were read or written
  };

  // The host is a name, or an address without brackets. openssl() must not be missing.
  explicit TlsSession(const std::string& host);

  // After each step, also one that failed, the network gets all bytes of outgoing().
  Step shake_hands();
  Step read(void* to, std::size_t room);
  Step write(const void* from, std::size_t size);  // may write fewer bytes

  // The number of bytes for the network that were moved to the buffer; 0: there are no more.
  std::size_t outgoing(void* to, std::size_t room);
  // Takes all bytes.
  void incoming(const void* bytes, std::size_t size);

  const std::string& failure() const { return failure_; }

 private:
  struct Free {
    void operator()(SSL* session) const { openssl().free_session(session); }
  };

  template <typename Call>
  Step step(const Call& call);
  std::string why_failed() const;

  std::unique_ptr<SSL, Free> session_;
  BIO* from_network_ = nullptr;  // of the session
  BIO* to_network_ = nullptr;
  std::string failure_;
};

}  // namespace perfsift::store::clickhouse
