#!/bin/sh
# Tries what an agent could do to the hub and its runner. Prints the name of each attack that succeeded.
# Arguments: the data folder, then the process ids of hub and runner.
data=$1
shift

attempt() {
  name=$1
  shift
  if "$@" >/dev/null 2>&1; then echo "$name"; fi
}

attempt "list the data folder" sh -c "ls -A '$data' | grep -q ."
attempt "read the descriptor" cat "$data/hub.json"
attempt "read the database" cat "$data/signalbox.sqlite"
attempt "read the runner's files" cat "$data/runner/runner.lock"
attempt "write to the data folder" touch "$data/planted"
attempt "unmount" sh -c "umount '$data'; cat '$data/hub.json'"
attempt "unmount in a new mount namespace" unshare -m sh -c "umount '$data'; cat '$data/hub.json'"
attempt "unmount in a new user namespace" unshare -Urm sh -c "umount '$data'; cat '$data/hub.json'"
# Nothing stays mounted: whoever clears the temporary folder would delete what is mounted there.
over=$(mktemp -d)
attempt "mount over" sh -c "mount --bind '$over' '$over' && umount '$over'"
rmdir "$over"
for pid in "$@"; do
  attempt "signal a process" kill -0 "$pid"
  attempt "read a process's memory map" cat "/proc/$pid/maps"
  attempt "open a process's memory" sh -c ": < /proc/$pid/mem"
  attempt "read through a process's root" cat "/proc/$pid/root$data/hub.json"
  attempt "enter a process's namespaces" nsenter -t "$pid" -m cat "$data/hub.json"
done
echo finished
