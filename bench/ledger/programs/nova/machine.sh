#!/usr/bin/env bash
# A Debian root as if it were a machine of its own. What changes in it is in memory and gone afterwards. It has
# to be started in network, mount, host name and process namespaces of its own (see run.ts).
#   machine.sh ROOT COMMAND...
set -eu
root=$1
shift
ip link set lo up
hostname localhost
mount -t tmpfs nova /mnt
mkdir /mnt/{changed,work,root}
mount -t overlay -o "lowerdir=$root,upperdir=/mnt/changed,workdir=/mnt/work" nova /mnt/root
mount --rbind /dev /mnt/root/dev
mount -t proc nova /mnt/root/proc
mount -t sysfs nova /mnt/root/sys
echo '127.0.0.1 localhost' >/mnt/root/etc/hosts
mkdir /mnt/root/srv/log
"$@"
