# The shell in which the pages of docs/how-to run, in an empty folder. Their hidden blocks call
# these functions.
set -euo pipefail
export LULL_LISTEN=127.0.0.1:8080 LULL_DATA_DIR=$PWD/data LULL_DATABASE_TIMEOUT=5s
export LULL_DOWNLOAD_DESTINATIONS=public,loopback LULL_WEBHOOK_DESTINATIONS=public,loopback
export LULL_UPLOAD_DESTINATIONS=public,loopback
tools=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
export PATH=$PATH:$tools
umask 022
started=()

finish() {
    local status=$?
    set +e
    for process in "${started[@]}"; do kill -TERM "$process" 2>/dev/null; done
    for process in "${started[@]}"; do
        for _ in $(seq 300); do kill -0 "$process" 2>/dev/null && sleep 0.1 || break; done
        kill -KILL "$process" 2>/dev/null
    done
    # Stops the private servers of programs that were killed.
    for file in ./*/postgres/data/postmaster.pid ./*/postmaster.pid; do
        [ ! -e "$file" ] || kill -QUIT "$(head -n 1 "$file")" 2>/dev/null
    done
    [ "$status" = 0 ] || tail -n 30 ./*.log >&2
    exit "$status"
}
trap finish EXIT

# until_true COMMAND...: waits up to two minutes; names the command that never succeeded.
until_true() {
    for _ in $(seq 600); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.2
    done
    echo "never true: $*" >&2
    return 1
}
# check TEXT EXPECTED: ends the page if they differ.
check() { [ "$1" = "$2" ] || { echo "expected: $2; got: $1" >&2; exit 1; }; }

# start_lull [NAME=VALUE ...]: serves in the background until it is ready; its number is in $lull_pid.
start_lull() {
    env "$@" lull serve 2>>lull.log &
    lull_pid=$!
    started+=("$lull_pid")
    until_true env "$@" lull healthcheck
}
# stop_lull PID: stops it in order, as an operator does.
stop_lull() { kill -TERM "$1" && wait "$1"; }

# The server refuses to run as root.
as_postgres=(env)
[ "$(id -u)" != 0 ] || as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups)
# start_postgres FOLDER PORT [SETTING ...]: a server with a database named lull, which is made if it
# is missing.
start_postgres() {
    local folder=$PWD/$1 sockets=$PWD/$1-sockets port=$2 setting options=()
    shift 2
    for setting in "$@"; do options+=(-c "$setting"); done
    mkdir -p "$sockets"
    [ "$(id -u)" != 0 ] || chown postgres: "$sockets"
    if [ ! -e "$folder" ]; then
        mkdir "$folder"
        [ "$(id -u)" != 0 ] || chown postgres: "$folder"
        "${as_postgres[@]}" initdb -D "$folder" -U lull -A trust --no-sync >initdb.log
    fi
    "${as_postgres[@]}" postgres -D "$folder" -k "$sockets" -p "$port" -c listen_addresses=127.0.0.1 \
        "${options[@]}" >>postgres.log 2>&1 &
    postgres_pid=$!
    started+=("$postgres_pid")
    until_true pg_isready -q -h 127.0.0.1 -p "$port"
    psql -q -h 127.0.0.1 -p "$port" -U lull postgres -c 'CREATE DATABASE lull' 2>/dev/null || true
}
# start_origin PORT: serves the folder ./files, which has file.bin.
start_origin() {
    mkdir -p files
    head -c 3000000 /dev/urandom >files/file.bin
    python3 -m http.server --bind 127.0.0.1 --directory files "$1" >>origin.log 2>&1 &
    started+=("$!")
    until_true curl -fsS -o /dev/null "http://127.0.0.1:$1/file.bin"
}
# start_nginx PORT: serves the folder ./files with ranges; slow.bin comes slowly, /locked/ is forbidden,
# and /hook takes webhooks.
start_nginx() {
    local user=""
    [ "$(id -u)" != 0 ] || user="user root;"
    cat >nginx.conf <<END
daemon off; worker_processes 1; pid nginx.pid; error_log nginx.log; $user
events {}
http {
    access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    server {
        listen 127.0.0.1:$1; root files;
        location /locked/ { return 403; }
        location = /hook { return 204; }
        location = /slow.bin { limit_rate 600k; }
    }
}
END
    PATH=$PATH:/usr/sbin nginx -p "$PWD" -c "$PWD/nginx.conf" 2>>nginx.log &
    started+=("$!")
    until_true curl -fsS -o /dev/null "http://127.0.0.1:$1/file.bin"
}
# download URL [BASE]: creates a download of the URL, waits for its end and prints its id.
download() {
    local base=${2:-http://127.0.0.1:8080} id
    id=$(curl -fsS --json "{\"url\": \"$1\"}" "$base/v1/downloads" | jq -r .id)
    check "$(curl -fsS "$base/v1/downloads/$id?wait=60" | jq -r .state)" succeeded
    echo "$id"
}
