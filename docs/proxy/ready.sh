#!/bin/sh
# Lets nginx send requests to those replicas only that are ready, for nginx does not
# look itself:
#
#   ready.sh /etc/nginx/records-replicas 10.0.0.11:8080 10.0.0.12:8080
#
# It runs as long as nginx does, as a service. RELOAD is the command that makes nginx
# read the file again.
if [ $# -lt 2 ]; then
    echo "usage: $0 FILE REPLICA..." >&2
    exit 2
fi
file=$1
shift
again= # what nginx has not read yet, where it could not
while :; do
    ready=
    for replica in "$@"; do
        if curl -sf --max-time 2 -o /dev/null "http://$replica/readyz"; then
            ready="${ready}server $replica fail_timeout=1s;
"
        fi
    done
    # Where none is ready the list stays: nginx takes no empty one, and the replicas
    # themselves say best what is wrong.
    if [ -n "$ready" ] && [ "$again$ready" != "$(cat "$file" 2>/dev/null)
" ]; then
        again=yes
        printf %s "$ready" >"$file.new" && mv "$file.new" "$file" && ${RELOAD:-nginx -s reload} && again=
    fi
    sleep 0.2
done
