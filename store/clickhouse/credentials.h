// The user and the password for a server of stores.
//
// The file $PERFSIFT_CREDENTIALS, else ~/.config/perfsift/credentials, has them in the form of .netrc, so that each
// password goes to its own host only:
//
//   machine db-1.example.net login reader password secret
//   default login reader password secret
//
// A host without an entry gets $CLICKHOUSE_USER and $CLICKHOUSE_PASSWORD; without these, no user is named.
#pragma once

#include <string>
#include <string_view>

namespace perfsift::store::clickhouse {

struct Credentials {
  std::string user, password;  // empty: not named
};

// Throws InputError, which never contains a password, for a file that others can read, or that has another form.
Credentials credentials_for(const std::string& host);
// The entry for the host in the text of a file. Throws InputError.
Credentials credentials_in(std::string_view text, std::string_view host, const std::string& file);

}  // namespace perfsift::store::clickhouse
