#!/bin/bash
# Asks servers with odd certificates and odd connections, by Python's ssl module, for a store over TLS: which of them are
# trusted, and what of an answer counts.
#   store_tls.sh PERFSIFT
set -u
perfsift=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
for tool in openssl python3; do command -v $tool >/dev/null || skip "no $tool"; done
in_scratch
export HOME=$scratch XDG_CONFIG_HOME=
unset PERFSIFT_CREDENTIALS CLICKHOUSE_USER CLICKHOUSE_PASSWORD SSL_CERT_FILE SSL_CERT_DIR

# The program does not need OpenSSL to start.
readelf --dynamic "$perfsift" | grep -E 'NEEDED.*lib(ssl|crypto)' && bad "perfsift is linked with OpenSSL"
"$perfsift" --version | grep -qx 'feature tls yes' || skip "no libssl"

# An authority, and certificates that it signed.
{
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority -keyout authority.key -out authority.pem
  mkdir -p issued
  : >index
  cat >ca.conf <<'END'
[ca]
default_ca = here
[here]
database = index
new_certs_dir = issued
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
END
} 2>/dev/null
certificate() { # NAME SUBJECT_ALTERNATIVE_NAME [FIRST_DAY LAST_DAY]
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -addext "subjectAltName=$2" -keyout "$1.key" -out "$1.request" 2>/dev/null
  openssl ca -batch -config ca.conf -cert authority.pem -keyfile authority.key -startdate "${3:-200101}000000Z" -enddate "${4:-491231}000000Z" \
    -in "$1.request" -out "$1.pem" -notext 2>ca.errors || bad "no certificate: $(<ca.errors)"
}
certificate good DNS:localhost
certificate address IP:127.0.0.1
certificate mistaken DNS:127.0.0.1
certificate expired DNS:localhost 200101 200102
certificate future DNS:localhost 480101 491231
certificate elsewhere DNS:elsewhere.example
certificate wide DNS:*.localhost

"$here/tls_servers.py" whole=whole:good address=whole:address mistaken=whole:mistaken expired=whole:expired future=whole:future \
  elsewhere=whole:elsewhere wide=whole:wide cut=cut:good large=large:good old=old:good plain=plain:good closing=closing:good silent=silent:good \
  >ports 2>servers.errors &
servers=$!
trap 'kill "$servers"; rm -rf "$scratch"' EXIT
for ((i = 0; i < 200; ++i)); do
  [[ $(wc -l <ports) != 13 ]] || break
  sleep 0.05
done
[[ $(wc -l <ports) == 13 ]] || { bad "no servers: $(<servers.errors)"; conclude; exit 1; }

# shellcheck disable=SC2069
ask() { # SERVER HOST FILE_OF_AUTHORITIES [COMMAND...]
  local port file=$3
  port=$(sed -n "s/^$1 //p" ports)
  local server="clickhouses://$2:$port/x"
  shift 3
  SSL_CERT_FILE=$file timeout 60 "$@" "$perfsift" fold "$server" 2>&1 >/dev/null  # the errors only
}
expect_answer() { # PATTERN SERVER HOST FILE_OF_AUTHORITIES [COMMAND...]
  local pattern=$1 told
  shift
  told=$(ask "$@")
  if grep -qe "$pattern" <<<"$told"; then echo "right: $1 as $2: $pattern"; else bad "$*: no '$pattern' in: $told"; fi
}
answered='HTTP status 500: it was answered'

# Connections that break are tried again for ten seconds, and the silent one is given up after ten.
ask closing localhost authority.pem >closing.told &
waiting=($!)
ask cut localhost authority.pem >cut.told &
waiting+=($!)
ask silent localhost authority.pem >silent.told &
waiting+=($!)

expect_answer "$answered" whole localhost authority.pem
expect_answer "$answered" large localhost authority.pem
expect_answer "$answered" address 127.0.0.1 authority.pem
expect_answer 'cannot be trusted: IP address mismatch' mistaken 127.0.0.1 authority.pem
expect_answer 'cannot be trusted: IP address mismatch' whole 127.0.0.1 authority.pem
expect_answer 'cannot be trusted: hostname mismatch' address localhost authority.pem
expect_answer 'cannot be trusted: hostname mismatch' elsewhere localhost authority.pem
expect_answer 'cannot be trusted: hostname mismatch' wide localhost authority.pem
expect_answer 'cannot be trusted: certificate has expired' expired localhost authority.pem
expect_answer 'cannot be trusted: certificate is not yet valid' future localhost authority.pem
expect_answer 'cannot be trusted: .*issuer.*; SSL_CERT_FILE names authorities to trust' whole localhost elsewhere.pem
expect_answer 'cannot be trusted: .*issuer.*; SSL_CERT_FILE names authorities to trust' whole localhost /nowhere
expect_answer 'no TLS connection: .*version' old localhost authority.pem
expect_answer 'no TLS connection: wrong version number' plain localhost authority.pem

# OpenSSL is hidden, and, apart from that, its own place for authorities, which another distribution does not have.
# shellcheck disable=SC2016
hide='library=$(ldconfig -p | sed -n "s/.*libssl.so.* => //p"); for each in $library; do mount --bind /dev/null "$each" || exit 99; done; exec "$@"'
if unshare --mount true 2>/dev/null; then
  expect_answer 'HTTPS needs libssl.so.3 of OpenSSL, which is not on this machine (apt install libssl3)' whole localhost authority.pem unshare --mount sh -c "$hide" sh
  unshare --mount sh -c "$hide" sh "$perfsift" --version >version || bad "perfsift does not start without OpenSSL"
  grep -q '^feature tls no: HTTPS needs' version || bad "--version without OpenSSL: $(grep tls version)"
  mkdir -p empty
  # shellcheck disable=SC2016
  trusted='mount --bind empty /usr/lib/ssl && mount --bind authority.pem "$bundle" && unset SSL_CERT_FILE && exec "$@"'
  bundle=/etc/ssl/certs/ca-certificates.crt
  [[ ! -e $bundle || ! -d /usr/lib/ssl ]] || bundle=$bundle expect_answer "$answered" whole localhost - unshare --mount sh -c "$trusted" sh
else
  echo "not compared: no mount namespaces can be made here"
fi

wait "${waiting[@]}"
expect_told() { # SERVER PATTERN
  if grep -qe "$2" "$1.told"; then echo "right: $1: $2"; else bad "$1: no '$2' in: $(<"$1.told")"; fi
}
expect_told closing 'no TLS connection: end of stream'
expect_told cut 'no whole answer: end of stream'
expect_told silent 'no TLS connection: it took too long'
conclude
