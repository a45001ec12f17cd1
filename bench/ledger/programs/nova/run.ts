/**
 * A real Nova of six computes with the fake driver, and a real Keystone, on hplaced, in a root of Debian 12
 * (Nova 26.2) that is made for this, and in namespaces of its own, gone with them.
 *
 *   npm run check -- nova [--part sqlite|postgres|change-over|all --short --seed N]
 *
 * Where the machine cannot have that, a line says why and the exit status is 0. `--short` has Keystone and
 * the commands of its clients only.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { debianRoot } from '../../../debian-root.ts';
import { PACKAGES, readNovaArguments } from './nova-arguments.ts';

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const NAMESPACES = ['--net', '--mount', '--uts', '--pid', '--fork', '--kill-child', '--mount-proc'];
const LIMIT_MS = 3_600_000;

readNovaArguments();

function skip(why: string): never {
  console.log(`nova: skipped, ${why}`);
  process.exit(0);
}

const TRIAL = `mount -t tmpfs nova /mnt && mkdir /mnt/a /mnt/b /mnt/c && mount -t overlay -o lowerdir=/,upperdir=/mnt/a,workdir=/mnt/b nova /mnt/c && ip link set lo up`;
if (
  spawnSync('unshare', [...NAMESPACES, 'sh', '-c', TRIAL], { stdio: 'ignore', timeout: 10_000 }).status !== 0
)
  skip('no network and mount namespaces can be had here (they need root)');
const root = debianRoot('openstack', 'bookworm', PACKAGES);
if ('why' in root) skip(root.why);

const play = [process.execPath, '--import', 'tsx', at('exercise.ts'), ...process.argv.slice(2)];
const { status } = spawnSync('unshare', [...NAMESPACES, 'bash', at('machine.sh'), root.path, ...play], {
  stdio: ['ignore', 'inherit', 'inherit'],
  timeout: LIMIT_MS,
  killSignal: 'SIGKILL',
});
if (status === null) console.error(`nova: FAILED, not done within ${LIMIT_MS / 1000} s`);
process.exitCode = status ?? 1;
