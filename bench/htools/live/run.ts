/**
 * `npm run live [-- --short]`: our programs against a real Ganeti cluster, brought up for this in namespaces
 * of its own (cluster.sh) and gone with them. Where the machine cannot have that, a line says why and the
 * exit status is 0. The whole takes some 15 minutes; `--short` has one of each kind of check and takes two.
 * `--seed=N` chooses the moments of the kills, `--parts=A,B` the checks.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLiveArguments } from './live-arguments.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Each stands for the Debian package that has it. */
const NEEDED = {
  '/usr/sbin/gnt-cluster': 'ganeti',
  '/usr/sbin/ganeti-luxid': 'ganeti-haskell-3.0',
  '/usr/bin/hbal': 'ganeti-htools',
  '/usr/sbin/sshd': 'openssh-server',
  '/usr/bin/ssh-keygen': 'openssh-client',
  '/usr/bin/arping': 'iputils-arping',
  '/usr/bin/fping': 'fping',
  '/usr/bin/unshare': 'util-linux',
  '/sbin/ip': 'iproute2',
};
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** The whole of it, ended by force when something hangs; many times what it takes on a quiet machine. */
const LIMIT_MS = readLiveArguments().short ? 900_000 : 3_600_000;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why this machine cannot bring up the cluster; undefined when it can. */
function obstacle(): string | undefined {
  const missing = Object.entries(NEEDED).filter(([path]) => !isExecutable(path));
  if (missing.length > 0)
    return `these Debian packages are missing: ${missing.map(([, name]) => name).join(' ')}`;
  // What the cluster asks of a namespace: a file system, a file over another, a bridge.
  const trial =
    'mount -t tmpfs live /srv && touch /srv/a && mount --bind /srv/a /proc/meminfo && ip link add xen-br0 type bridge';
  const { status } = spawnSync('/usr/bin/unshare', [...NAMESPACES, 'sh', '-c', trial], {
    stdio: 'ignore',
    timeout: 10_000,
  });
  return status === 0 ? undefined : 'no network and mount namespaces can be had here (they need root)';
}

const why = obstacle();
if (why !== undefined) {
  console.log(`live: skipped, ${why}`);
  process.exit(0);
}
const checks = [process.execPath, '--import', 'tsx', at('checks.ts'), ...process.argv.slice(2)];
const { status } = spawnSync('/usr/bin/unshare', [...NAMESPACES, 'bash', at('cluster.sh'), ...checks], {
  cwd: at('../../..'),
  stdio: ['ignore', 'inherit', 'inherit'],
  timeout: LIMIT_MS,
  killSignal: 'SIGKILL',
});
if (status === null) console.error(`live: FAILED, not done within ${LIMIT_MS / 1000} s`);
process.exit(status ?? 1);
