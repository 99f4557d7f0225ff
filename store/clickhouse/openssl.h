// The functions of OpenSSL that HTTPS needs.
//
// The library is loaded when the first connection needs it: loading it takes a third of the time in which perfsift
// starts, and only stores on servers use TLS.
#pragma once

#include <string>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace perfsift::store::clickhouse {

struct Openssl {
  std::string why_missing;  // empty: all functions are there

  decltype(&TLS_client_method) client_method = nullptr;
  decltype(&SSL_CTX_new) new_context = nullptr;
  decltype(&SSL_CTX_ctrl) control_context = nullptr;
  decltype(&SSL_CTX_set_verify) set_verify = nullptr;
  decltype(&SSL_CTX_set_default_verify_paths) trust_default_paths = nullptr;
  decltype(&SSL_CTX_load_verify_locations) trust_file = nullptr;
  decltype(&X509_get_default_cert_file) default_trusted_file = nullptr;

  decltype(&SSL_new) new_session = nullptr;
  decltype(&SSL_free) free_session = nullptr;
  decltype(&SSL_ctrl) control_session = nullptr;
  decltype(&SSL_set1_host) expect_name = nullptr;
  decltype(&SSL_get0_param) verify_param = nullptr;
  decltype(&X509_VERIFY_PARAM_set1_ip_asc) expect_address = nullptr;
  decltype(&SSL_set_bio) set_bio = nullptr;
  decltype(&SSL_connect) connect = nullptr;
  decltype(&SSL_read) read = nullptr;
  decltype(&SSL_write) write = nullptr;

  decltype(&BIO_new) new_bio = nullptr;
  decltype(&BIO_s_mem) in_memory = nullptr;
  decltype(&BIO_read) read_bio = nullptr;
  decltype(&BIO_write) write_bio = nullptr;

  decltype(&SSL_get_error) outcome = nullptr;
  decltype(&SSL_get_verify_result) verify_result = nullptr;
  decltype(&X509_verify_cert_error_string) verify_reason = nullptr;
  decltype(&ERR_get_error) next_error = nullptr;
  decltype(&ERR_clear_error) clear_errors = nullptr;
  decltype(&ERR_reason_error_string) reason = nullptr;
};

// Loads the library at the first call. Thread-safe.
const Openssl& openssl();

}  // namespace perfsift::store::clickhouse
