#!/bin/sh
# `npm run test:image` plays the steps of the Dockerfile in a folder made by debootstrap, where no container engine
# is needed: prepares it, puts the one-file program in it, and uses that there as the image's user. Needs root.
set -eu
cd "$(dirname "$0")/../.."
command -v debootstrap >/dev/null || apt-get install -y -q --no-install-recommends debootstrap
place=$(mktemp -d /tmp/signalbox-image-XXXXXX)
root=$place/root
cleanup() {
  [ -z "${hub:-}" ] || kill "$hub" 2>/dev/null || true
  for mounted in proc dev; do umount -l "$root/$mounted" 2>/dev/null || true; done
  rm -rf --one-file-system "$place"
}
trap cleanup EXIT
mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"}
cp -r /etc/apt/. "$root/etc/apt/"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
cp scripts/container/prepare.sh "$root/tmp/prepare.sh"
chroot "$root" sh /tmp/prepare.sh
npx bun scripts/binary/build.ts --out "$root/usr/local/bin/signalbox"

as_user() {
  chroot --userspec=signalbox:signalbox "$root" /usr/bin/env -i HOME=/home/signalbox \
    PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 SIGNALBOX_DATA=/data sh -c "cd /projects && $1"
}
as_user "signalbox --version"
as_user "signalbox run --demo hello" | grep -q "That was a whole session"
as_user "exec signalbox serve --port 0 --root /projects" >"$place/log" 2>&1 &
hub=$!
tries=0
until grep -q "http://localhost" "$place/log"; do
  tries=$((tries + 1))
  [ "$tries" -lt 240 ] || { cat "$place/log"; echo "test:image: the hub did not start"; exit 1; }
  sleep 0.5
done
address=$(sed -n 's/.*\(http:\/\/localhost:[0-9]*\).*/\1/p' "$place/log" | head -n 1)
node -e 'fetch(process.argv[1]).then((page) => page.text()).then((text) => process.exit(text.includes("<title>Signalbox") ? 0 : 1))' "$address/"
as_user "signalbox ls"
as_user "signalbox doctor" || true
echo "test:image: prepared, started and used"
