#!/usr/bin/env bash
# Runs tools/test.sh and tools/demo.sh as a newcomer would: in a minimal Debian
# 12 with no compiler and no cmake, on a clone of the last commit.
#
#   tools/scripts/fresh_check.sh [--ci] [FOLDER]   # default: /tmp/orbox_fresh
#
# With --ci, runs only the steps of CI and measures their time on a new machine.
# Needs root, and debootstrap, which it installs. FOLDER/base keeps the minimal
# system for the next time; FOLDER/root is a new copy of it at each run and is
# left there for inspection. Packages come from where this machine gets them.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

readonly SUITE=bookworm
only_ci=false
if [[ "${1:-}" == --ci ]]; then
  only_ci=true
  shift
fi
folder="${1:-/tmp/orbox_fresh}"
base="$folder/base"
root="$folder/root"

[[ "$(id -u)" == 0 ]] || die "chroot needs root"
command -v debootstrap >/dev/null || apt_install debootstrap

# The first Debian mirror among this machine's package sources.
debian_mirror() {
  {
    sed -n 's/^URIs:[[:space:]]*//p' /etc/apt/sources.list.d/*.sources
    sed -n 's/^deb[[:space:]]\{1,\}\(\[[^]]*\][[:space:]]*\)\{0,1\}\([^[:space:]]*\).*/\2/p' \
      /etc/apt/sources.list /etc/apt/sources.list.d/*.list
    true  # either kind of list may not be there
  } 2>/dev/null | grep -m 1 '/debian/*$'
}

if [[ ! -f "$base.done" ]]; then
  mirror="$(debian_mirror)" || die "no Debian mirror in /etc/apt"
  step "Making a minimal $SUITE in $base"
  rm -rf "$base"
  mkdir -p "$base"
  debootstrap --variant=minbase "$SUITE" "$base" "$mirror"
  touch "$base.done"
fi

unmount() {
  if mountpoint -q "$root/dev/pts"; then umount "$root/dev/pts"; fi
  if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
}
trap unmount EXIT

step "Making $root: a copy of it, and a clone of the last commit"
unmount
rm -rf --one-file-system "$root"
cp -a "$base" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/hosts "$root/etc/hosts"
# Settings by which this machine reaches its package sources, such as a proxy.
find /etc/apt/apt.conf.d -iname '*proxy*' -exec cp {} \
  "$root/etc/apt/apt.conf.d/" \;
# The certificates that this machine trusts: a proxy may sign for package
# sources. The new system's package of certificates adds them when it is
# installed.
certificates=/etc/ssl/certs/ca-certificates.crt
if [[ -f "$certificates" ]]; then
  mkdir -p "$root/usr/local/share/ca-certificates"
  cp "$certificates" "$root/usr/local/share/ca-certificates/machine.crt"
fi
git clone --quiet "$ORBOX_ROOT" "$root/root/orbox"
mount -t proc proc "$root/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"

# in_root COMMAND...: in the new system, with nothing of this one's environment
# but the way out.
in_root() {
  env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    ${http_proxy:+"http_proxy=$http_proxy"} \
    ${https_proxy:+"https_proxy=$https_proxy"} \
    chroot "$root" "$@" </dev/null
}

if in_root sh -c 'command -v c++ || command -v cmake'; then
  die "$root is not fresh: it has a compiler or cmake"
fi
if "$only_ci"; then
  step ".ci/run in the new system"
  in_root sh -c 'cd /tmp && /root/orbox/.ci/run'
  printf '\nfresh_check.sh: PASSED in %s\n' "$(elapsed)"
  exit 0
fi
# From another folder, as nobody starts in the root of the repository.
step "tools/demo.sh in the new system"
in_root sh -c 'cd /tmp && /root/orbox/tools/demo.sh'
step "tools/test.sh in the new system"
in_root sh -c 'cd /tmp && /root/orbox/tools/test.sh'
printf '\nfresh_check.sh: PASSED in %s\n' "$(elapsed)"
