# Servers that a test starts and ends, to be sourced after recordings.sh. For servers of stores, the caller must set double to
# the path of clickhouse_double.
# shellcheck shell=bash disable=SC2034,SC2154,SC2317

pids=()
oracles=$(dirname "$(realpath "${BASH_SOURCE[0]}")")

# Before the scratch folder is removed.
stop_servers_at_end() {
  stop_all() {
    local pid
    for pid in "${pids[@]}"; do stop_server "$pid"; done
    rm -rf "$scratch"
  }
  trap stop_all EXIT
}

# Starts a program that writes the port that it listens on to standard output. The process is `server`, its port is `port`.
start_listening() { # NAME COMMAND…
  local name=$1 i
  shift
  rm -f "$name.port"
  "$@" >"$name.port" 2>"$name.errors" &
  server=$!
  pids+=("$server")
  for ((i = 0; i < 200; ++i)); do
    [[ ! -s $name.port ]] || break
    sleep 0.05
  done
  port=$(<"$name.port")
  [[ -n $port ]] || { bad "no server: $(<"$name.errors")"; exit 1; }
}

# The port of an earlier server can be given.
start_server() { # FOLDER PORT [OPTION...]
  start_listening "$1" "$double" "$@"
}

# A debuginfod server of the folder `served`, which logs what it is asked for in the file `requests`. Its address is `url`.
start_debuginfod() {
  mkdir -p served
  : >requests
  start_listening debuginfod python3 "$oracles/debuginfod_server.py" served requests
  url=http://127.0.0.1:$port
}

stop_server() { # PID
  kill -KILL "$1" 2>/dev/null
  wait "$1" 2>/dev/null
}

# The beginning of tests of stores: the engine, a scratch folder, and servers that end with the test.
begin_with_stores() { # FOLDER_OF_NPM
  unset PERFSIFT_CREDENTIALS CLICKHOUSE_USER CLICKHOUSE_PASSWORD
  need_libchdb "$1"
  in_scratch
  stop_servers_at_end
}

store() { "$perfsift" store "$@" 2>errors; }
expect_says() { # TEXT COMMAND...
  local wanted=$1
  shift
  "$@" >out 2>errors || bad "$*: $(head -n 1 errors)"
  # shellcheck disable=SC2053
  [[ $(<out) == $wanted ]] || bad "$*: '$(<out)' instead of '$wanted'"
}
