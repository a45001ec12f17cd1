#!/usr/bin/env bash
# A Debian root as if it were a machine of its own: our packages are installed in it, purged, which has to
# leave nothing, and installed again; then a cluster is brought up (cluster.sh) and the checks run. What
# changes in the root is in memory and gone afterwards. It has to be started in network, mount and process
# namespaces of its own (see run.ts). The project stands under /project.
#   machine.sh ROOT PROJECT DEBS [OPTIONS OF THE CHECKS]
set -eu
root=$1 project=$2 debs=$3
shift 3
mount -t tmpfs live /mnt
mkdir /mnt/{changed,work,root}
mount -t overlay -o "lowerdir=$root,upperdir=/mnt/changed,workdir=/mnt/work" live /mnt/root
mkdir /mnt/root/{project,debs}
mount --bind "$project" /mnt/root/project
mount --bind "$debs" /mnt/root/debs
mount --rbind /dev /mnt/root/dev
# What fakes the clock leaves a file there for each process.
mount -t tmpfs live /mnt/root/dev/shm
mount -t proc live /mnt/root/proc
mount -t sysfs live /mnt/root/sys
# Every node's 64 GiB and 16 processors. Ganeti 3.0 asks for MemFree, 3.1 for MemAvailable.
printf '%s kB\n' 'MemTotal: 67108864' 'MemFree: 66060288' 'MemAvailable: 66060288' 'Active: 1048576' >/mnt/meminfo
for ((i = 0; i < 16; i++)); do printf 'processor\t: %d\n\n' $i; done >/mnt/cpuinfo
for file in meminfo cpuinfo; do mount --bind "/mnt/$file" "/mnt/root/proc/$file"; done

in_root() {
  chroot /mnt/root env -i -C /project LANG=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
# Every file of the root but dpkg's own notes, and what is diverted.
files() {
  in_root find / -xdev \( -path /project -o -path /var/lib/dpkg -o -path /var/cache -o -path /var/log \) -prune -o -printf '%p %l\n' | sort
  in_root dpkg-divert --list | sort
}
install() {
  in_root sh -c 'dpkg -i /debs/*.deb' >&2
}

files >/mnt/before
install
in_root sh -c 'dpkg -P $(for file in /debs/*.deb; do dpkg-deb --field "$file" Package; done)' >&2
files >/mnt/after
if left=$(diff /mnt/before /mnt/after); then
  echo 'live: the packages, installed and purged, leave nothing: fine'
else
  printf 'live: the packages, installed and purged, leave nothing: FAILED\n%s\n' "$left"
  exit 1
fi
install
in_root bash bench/htools/live/cluster.sh /usr/lib/evenkeel/node --import tsx bench/htools/live/checks.ts "$@"
