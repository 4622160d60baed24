#!/usr/bin/env bash
# Work and messages of the ranks of a job, for several numbers of ranks; and over
# real TCP between network namespaces.
#
#   bench/bvh/mpi/ranks.sh RANKS_PROGRAM FOLDER.orboxd POINTS "1 2 4 8"
#   bench/bvh/mpi/ranks.sh --tcp RANKS_PROGRAM FOLDER.orboxd POINTS "2 4"
#
# RANKS_PROGRAM is bench/ranks of a build with MPI (Open MPI). --tcp gives each
# rank a namespace of its own, which a bridge joins, and needs root and iproute2.
# Lines that begin with # have the time of a message, for the model of `orbox-mpi
# plan`. All that it makes is removed at the end. Not for CI: ranks share the
# cores.
# SPDX-License-Identifier: Apache-2.0

set -euo pipefail

tcp=
if [ "${1:-}" = --tcp ]; then
  tcp=1
  shift
fi
if [ $# -ne 4 ]; then
  sed -n '5,6s/^# *//p' "$0" >&2
  exit 2
fi
program=$(realpath "$1")
folder=$(realpath "$2")
points=$3
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1

if [ -z "$tcp" ]; then
  export OMPI_MCA_btl_vader_single_copy_mechanism=none
  for n in $4; do
    mpirun -n "$n" "$program" "$folder" "$points"
  done
  exit
fi

most=0
for n in $4; do [ "$n" -le "$most" ] || most=$n; done
bridge=orboxbr
work=$(mktemp -d)
remove() {
  for ((i = 1; i <= most; ++i)); do ip netns del "orbox$i" 2>/dev/null || true; done
  ip link del "$bridge" 2>/dev/null || true
  rm -rf "$work"
}
trap remove EXIT
ip link add "$bridge" type bridge
ip addr add 10.99.0.254/24 dev "$bridge"
ip link set "$bridge" up
for ((i = 1; i <= most; ++i)); do
  ip netns add "orbox$i"
  ip link add "orboxv$i" type veth peer name eth0 netns "orbox$i"
  ip link set "orboxv$i" master "$bridge" up
  ip -n "orbox$i" addr add "10.99.0.$i/24" dev eth0
  ip -n "orbox$i" link set lo up
  ip -n "orbox$i" link set eth0 up
done
# Instead of ssh: the "host" 10.99.0.3 is the namespace orbox3.
cat >"$work/agent" <<'AGENT'
#!/bin/sh
host=$1
shift
exec ip netns exec "orbox${host##*.}" unshare -u sh -c "hostname node${host##*.}; $*"
AGENT
chmod +x "$work/agent"
for n in $4; do
  hosts=
  for ((i = 1; i <= n; ++i)); do hosts+="${hosts:+,}10.99.0.$i:1"; done
  mpirun --mca plm_rsh_agent "$work/agent" --mca plm rsh \
    --mca oob_tcp_if_include 10.99.0.0/24 --mca btl tcp,self \
    --mca btl_tcp_if_include 10.99.0.0/24 --mca pml ob1 \
    --host "$hosts" -n "$n" "$program" "$folder" "$points"
done
