# Servers that a test starts and ends, to be sourced after recordings.sh. The caller must set double to the path of
# clickhouse_double.
# shellcheck shell=bash disable=SC2034,SC2154,SC2317

pids=()

# Before the scratch folder is removed.
stop_servers_at_end() {
  stop_all() {
    local pid
    for pid in "${pids[@]}"; do kill -KILL "$pid" 2>/dev/null; done
    rm -rf "$scratch"
  }
  trap stop_all EXIT
}

# The process is `server`, its port is `port`. The port of an earlier server can be given.
start_server() { # FOLDER PORT [OPTION...]
  rm -f "$1.port"
  "$double" "$@" >"$1.port" 2>"$1.errors" &
  server=$!
  pids+=("$server")
  local i
  for ((i = 0; i < 200; ++i)); do
    [[ ! -s $1.port ]] || break
    sleep 0.05
  done
  port=$(<"$1.port")
  [[ -n $port ]] || { bad "no server: $(<"$1.errors")"; exit 1; }
}

stop_server() { # PID
  kill -KILL "$1" 2>/dev/null
  wait "$1" 2>/dev/null
}
