/**
 * `npm run check -- live [--release bookworm --short]`: our Debian packages on a real Ganeti cluster of six
 * nodes, in a root of Debian 12 (Ganeti 3.0) or 13 (3.1) that is made for this and in
 * namespaces of its own (machine.sh), gone with them. Where the machine cannot have that, a line says why and
 * the exit status is 0. The whole takes some 40 minutes; `--short` has one of each kind of check and half the
 * disturbances, the other half on the other release, and takes five. `--seed=N` chooses the moments of the
 * kills, `--parts=A,B` the checks.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debianRoot } from '../../debian-root.ts';
import { packagesOf, readLiveArguments } from './live-arguments.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MACHINE = fileURLToPath(new URL('machine.sh', import.meta.url));
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const { short: isShort, release } = readLiveArguments();
/** The whole of it, ended by force when something hangs; many times what it takes on a quiet machine. */
const LIMIT_MS = isShort ? 1_200_000 : 3_600_000;

function skip(why: string): never {
  console.log(`live: skipped, ${why}`);
  process.exit(0);
}

/** What the cluster asks of a namespace: a root to write in, a file over another, a bridge. */
const TRIAL = `mount -t tmpfs live /mnt && mkdir /mnt/a /mnt/b /mnt/c && mount -t overlay -o lowerdir=/,upperdir=/mnt/a,workdir=/mnt/b live /mnt/c &&
  touch /mnt/f && mount --bind /mnt/f /proc/meminfo && ip link add xen-br0 type bridge`;
if (
  spawnSync('unshare', [...NAMESPACES, 'sh', '-c', TRIAL], { stdio: 'ignore', timeout: 10_000 }).status !== 0
)
  skip('no network and mount namespaces can be had here (they need root)');

const root = debianRoot(release, release, packagesOf(release));
if ('why' in root) skip(root.why);

const debs = mkdtempSync(join(tmpdir(), 'evenkeel-debs-'));
try {
  const built = spawnSync(process.execPath, ['scripts/packages/deb.mjs', '--out', debs], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) throw new Error('the Debian packages cannot be built');
  const words = ['bash', MACHINE, root.path, ROOT, debs, ...process.argv.slice(2)];
  const { status } = spawnSync('unshare', [...NAMESPACES, ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  if (status === null) console.error(`live: FAILED, not done within ${LIMIT_MS / 1000} s`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(debs, { recursive: true });
}
