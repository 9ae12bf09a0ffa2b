#!/bin/sh
# What the image needs beside the program: tools of agents, and a user whose folders they are.
set -eu
apt-get update -q
apt-get install -y -q --no-install-recommends bubblewrap ca-certificates git procps ripgrep tar
rm -rf /var/lib/apt/lists/*
useradd --create-home --uid 1000 signalbox
install -d -o signalbox -g signalbox -m 0700 /data
install -d -o signalbox -g signalbox /projects
