#include "store/clickhouse/openssl.h"

#include <array>

#include <dlfcn.h>

#include "base/loaded_function.h"

namespace perfsift::store::clickhouse {
namespace {

// The interface that is used here is the same in 1.1 and 3. libssl.so may be of any version.
constexpr std::array names = {"libssl.so.3", "libssl.so.1.1", "libssl.so"};

// libcrypto, which libssl needs, is searched, too.
bool find_all(void* handle, Openssl& library) {
  const auto look_up = [handle](auto& function, const char* name) { return find_function(handle, name, function); };
  return look_up(library.client_method, "TLS_client_method") && look_up(library.new_context, "SSL_CTX_new") &&
         look_up(library.control_context, "SSL_CTX_ctrl") && look_up(library.set_verify, "SSL_CTX_set_verify") &&
         look_up(library.trust_default_paths, "SSL_CTX_set_default_verify_paths") &&
         look_up(library.trust_file, "SSL_CTX_load_verify_locations") &&
         look_up(library.default_trusted_file, "X509_get_default_cert_file") &&
         look_up(library.new_session, "SSL_new") && look_up(library.free_session, "SSL_free") &&
         look_up(library.control_session, "SSL_ctrl") && look_up(library.expect_name, "SSL_set1_host") &&
         look_up(library.verify_param, "SSL_get0_param") &&
         look_up(library.expect_address, "X509_VERIFY_PARAM_set1_ip_asc") && look_up(library.set_bio, "SSL_set_bio") &&
         look_up(library.connect, "SSL_connect") && look_up(library.read, "SSL_read") &&
         look_up(library.write, "SSL_write") && look_up(library.new_bio, "BIO_new") &&
         look_up(library.in_memory, "BIO_s_mem") && look_up(library.read_bio, "BIO_read") &&
         look_up(library.write_bio, "BIO_write") && look_up(library.outcome, "SSL_get_error") &&
         look_up(library.verify_result, "SSL_get_verify_result") &&
         look_up(library.verify_reason, "X509_verify_cert_error_string") &&
         look_up(library.next_error, "ERR_get_error") && look_up(library.clear_errors, "ERR_clear_error") &&
         look_up(library.reason, "ERR_reason_error_string");
}

// The library stays: OpenSSL has handlers that run when the process exits.
Openssl load() {
  for (const char* name : names) {
    void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (Openssl library; handle != nullptr && find_all(handle, library)) return library;
  }
  Openssl none;
  none.why_missing = "HTTPS needs libssl.so.3 of OpenSSL, which is not on this machine (apt install libssl3)";
  return none;
}

}  // namespace

const Openssl& openssl() {
  static const Openssl library = load();
  return library;
}

}  // namespace perfsift::store::clickhouse
