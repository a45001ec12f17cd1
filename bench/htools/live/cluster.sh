#!/usr/bin/env bash
# Brings up a Ganeti cluster of six virtual nodes in two groups with the fake hypervisor, and then runs the
# command that is given, with LIVE_SOCKET and LIVE_RAPI set. It has to be started in network and process
# namespaces of its own and in a root that is thrown away (machine.sh). Not real are the lowest layers only:
# memory and processors are those of machine.sh, `vgs` and `pvs` are scripts, the node daemons' volumes and
# mirrored disks are those of pretend_disks.py, and the time of day is what the machine's and the file `clock`
# add up to, which is how a check sets the clock of all, or has a night begin.
set -eu -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
nodes=6 network=198.51.100 master=/srv/node1.example.com
# Nodes from this one on are in the second group.
second=5
say() { echo "live: $*" >&2; }
[ "$here" = /project/bench/htools/live ] || {
  say 'this writes in the root that it runs in: start it with npm run check -- live'
  exit 1
}
name() { echo "node$1.example.com"; }
# Only the time of day is set: what measures how much time has passed does not see it.
clock=(LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1 FAKETIME_TIMESTAMP_FILE=/srv/clock FAKETIME_NO_CACHE=1
  FAKETIME_DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1)
# With that of Debian 12 every sleep of Python's fails (EINVAL); its clock stays as it is.
! grep -q bookworm /etc/os-release || clock=()
# As if on node N; with a daemon's environment, not the caller's.
on() {
  local n=$1
  shift
  env -i LANG=C.UTF-8 HOME=/root PATH="/srv/bin:/usr/sbin:/usr/bin:/sbin:/bin" GANETI_ROOTDIR="/srv/$(name "$n")" GANETI_HOSTNAME="$(name "$n")" \
    PYTHONPATH=/srv/python PYTHONDONTWRITEBYTECODE=1 "${clock[@]}" "$@"
}

prepare_machine() {
  mkdir -p /srv/bin /srv/python /srv/ganeti/shared-file-storage /srv/ganeti/os/noop /run/sshd
  cp "$here/pretend_disks.py" /srv/python/sitecustomize.py
  echo +0 >/srv/clock
  ip link set lo up
  ip address add "$network.1/32" dev lo
  ip link add xen-br0 type bridge
  ip link set xen-br0 up
  {
    echo '127.0.0.1 localhost'
    echo "$network.100 cluster.example.com"
    for ((i = 1; i <= nodes; i++)); do
      ip address add "$network.$((10 + i))/32" dev lo
      echo "$network.$((10 + i)) $(name $i)"
    done
  } >/etc/hosts
  sed -i 's/^hosts:.*/hosts: files/' /etc/nsswitch.conf
  # Free is what the pretended volumes of the node leave of a TiB.
  cat >/srv/bin/vgs <<'END'
#!/bin/sh
used=$(cat "$GANETI_ROOTDIR"/pretended/volumes/xenvg/* 2>/dev/null | awk '{ sum += $1 } END { print sum + 0 }')
case "$*" in *separator*) echo "xenvg|$((1048576 - used))|wz--n-|1048576" ;; *) echo 'xenvg 1048576' ;; esac
END
  printf '#!/bin/sh\necho "/dev/fake|xenvg|1048576|a--|1048576|/dev/fake"\n' >/srv/bin/pvs
  printf '#!/bin/sh\n' >/srv/bin/lvs
  # What gives and takes the power of a node, which is a file.
  cat >/srv/bin/power <<'END'
#!/bin/sh
off=/srv/power-off-$2
case $1 in
  power-off) touch "$off" ;;
  power-on) rm -f "$off" ;;
  power-status) [ -e "$off" ] && echo '{"powered": false}' || echo '{"powered": true}' ;;
esac
END
  # An operating system whose scripts do nothing.
  echo 20 >/srv/ganeti/os/noop/ganeti_api_version
  echo default >/srv/ganeti/os/noop/variants.list
  touch /srv/ganeti/os/noop/parameters.list
  for script in create import export rename verify; do printf '#!/bin/sh\n' >"/srv/ganeti/os/noop/$script"; done
  chmod 755 /srv/bin/* /srv/ganeti/os/noop/{create,import,export,rename,verify}
}

# Nodes join over SSH.
start_ssh() {
  rm -f /etc/ssh/ssh_host_*
  ssh-keygen -q -t rsa -N '' -f /etc/ssh/ssh_host_rsa_key
  ssh-keygen -q -t rsa -N '' -f /etc/ssh/client
  cp /etc/ssh/client.pub /etc/ssh/authorized_keys
  printf '%s\n' 'HostKey /etc/ssh/ssh_host_rsa_key' 'AuthorizedKeysFile /etc/ssh/authorized_keys' 'PidFile none' 'UsePAM no' 'StrictModes no' \
    >/etc/ssh/sshd_config
  printf '%s\n' 'Host *' '  IdentityFile /etc/ssh/client' '  StrictHostKeyChecking no' '  UserKnownHostsFile /dev/null' '  LogLevel ERROR' \
    >/etc/ssh/ssh_config
  on 1 /usr/sbin/sshd
}

prepare_node() {
  local root=/srv/$(name "$1") address=$network.$((10 + $1))
  mkdir -p "$root"/etc/{default,ganeti} "$root"/var/lock "$root"/var/{lib,log,run}/ganeti
  cat >"$root/etc/default/ganeti" <<END
NODED_ARGS='--no-mlock -b $address'
CONFD_ARGS='-b $address'
MOND_ARGS='-b $address'
export GANETI_ROOTDIR='$root' GANETI_HOSTNAME='$(name "$1")' PYTHONPATH=/srv/python PYTHONDONTWRITEBYTECODE=1 ${clock[*]}
export PATH='/srv/bin:/usr/sbin:/usr/bin:/sbin:/bin'
END
  cat /proc/sys/kernel/random/uuid >"$root/boot-id"
  echo /srv/ganeti/shared-file-storage >"$root/etc/ganeti/file-storage-paths"
  on "$1" /usr/lib/ganeti/ensure-dirs
}

start_cluster() {
  local limits='disk-size=0,cpu-count=1,disk-count=0,memory-size=1,nic-count=0,spindle-use=0'
  on 1 gnt-cluster init --no-etc-hosts --no-ssh-init --master-netdev=lo --enabled-hypervisors=fake --vg-name=xenvg \
    --drbd-usermode-helper=/bin/true --enabled-disk-templates=drbd,plain,sharedfile,diskless \
    --shared-file-storage-dir=/srv/ganeti/shared-file-storage --default-iallocator=hail \
    --ipolicy-bounds-specs="min:$limits/max:disk-size=1048576,cpu-count=8,disk-count=16,memory-size=32768,nic-count=8,spindle-use=12" \
    --ipolicy-std-specs=disk-size=1024,cpu-count=1,disk-count=1,memory-size=1024,nic-count=1,spindle-use=1 cluster.example.com
  on 1 gnt-group add other
  for ((i = 2; i <= nodes; i++)); do
    on 1 gnt-node add --no-ssh-key-check -g "$([ "$i" -lt "$second" ] && echo default || echo other)" "$(name "$i")"
  done
}

# add NUMBER TEMPLATE NODE[:NODE] MEMORY [DISK]: an instance, not waited for; memory in GiB.
add() {
  local disk=(--disk "0:size=${5:-64M}") homes
  homes=$(name "${3%:*}")
  [[ $3 == *:* ]] && homes+=:$(name "${3#*:}")
  [ "$2" = diskless ] && disk=()
  on 1 gnt-instance add --submit -t "$2" "${disk[@]}" -o noop+default --no-nics --no-name-check --no-ip-check --no-conflicts-check \
    --no-wait-for-sync -B "memory=$4G,vcpus=$((1 + $1 % 2))" -n "$homes" "inst$1.example.com"
}

# The first group wants balancing, and the second one cannot bear the loss of a node.
add_instances() {
  local added=15
  {
    add 1 drbd 1:2 4 20G
    add 2 drbd 1:2 3 10G
    add 3 drbd 2:1 5 40G
    add 4 drbd 2:1 2 10G
    add 5 drbd 1:3 2 15G
    add 6 sharedfile 1 3
    add 7 sharedfile 1 2
    add 8 sharedfile 2 4
    add 9 plain 2 1 5G
    add 10 diskless 1 1
    add 11 drbd 2:4 3 8G
    add 12 drbd 5:6 28 60G
    add 13 drbd 6:5 28 60G
    add 14 drbd 5:6 28 60G
    add 15 sharedfile 6 1
  } >/dev/null
  for ((i = 0; i < 90; i++)); do
    [ "$(on 1 gnt-instance list --no-headers -o status | grep -c running)" = $added ] && return
    sleep 1
  done
  say 'the instances do not come up'
  on 1 gnt-job list >&2
  return 1
}

{
  prepare_machine
  start_ssh
  for ((i = 1; i <= nodes; i++)); do prepare_node $i; done
  start_cluster
  add_instances
  # It is a day old by now: certificates that were made later than the clock says are refused.
  echo +86400 >/srv/clock
} >&2
say "the cluster runs ($SECONDS s)"
export LIVE_SOCKET=$master/var/run/ganeti/socket/ganeti-query LIVE_RAPI=$network.100 "${clock[@]}"
"$@"
