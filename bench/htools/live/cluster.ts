/**
 * The cluster of `npm run check -- live`, as its checks use it: programs run on it, snapshots of it, its job
 * queue, and changes to its nodes.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const { LIVE_SOCKET, LIVE_RAPI } = process.env;
if (LIVE_SOCKET === undefined || LIVE_RAPI === undefined)
  throw new Error('start this with npm run check -- live');

export const LUXI = `-L${LIVE_SOCKET}`;
export const RAPI_HOST = LIVE_RAPI;
/** In the namespace's own file system. */
export const SCRATCH = '/srv/checks';
mkdirSync(SCRATCH, { recursive: true });

/** Longest run of a program, in ms: real jobs on a busy machine take their time. */
const LIMIT_MS = 600_000;
const MAX_OUTPUT = 64 * 2 ** 20;

export type Maker = 'ours' | 'stock';

/** The installed packages have put the stock programs aside. */
export const pathOf = (maker: Maker, program: string): string =>
  `/usr/bin/${program}${maker === 'ours' ? '' : '.ganeti'}`;

export interface Ran {
  /** null = ended by a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export const run = (maker: Maker, program: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { timeout: LIMIT_MS, killSignal: 'SIGKILL' as const, maxBuffer: MAX_OUTPUT };
    execFile(pathOf(maker, program), args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      resolve({ status: typeof code === 'number' ? code : null, stdout, stderr });
    });
  });

/** Standard output of one of our programs that has to succeed. */
export async function output(program: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run('ours', program, args);
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')}: exit status ${status}\n${stdout}${stderr}`);
}

/** The cluster now, as hscan writes it. @returns the file */
export async function snapshot(name: string): Promise<string> {
  const folder = `${SCRATCH}/${name}`;
  mkdirSync(folder, { recursive: true });
  await output('hscan', LUXI, '-d', folder);
  return `${folder}/LOCAL.data`;
}

export const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Runs a command as if on a node, which has to succeed. @returns its standard output */
function onNode(node: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: LIMIT_MS,
    env: {
      ...process.env,
      PATH: '/srv/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      GANETI_ROOTDIR: `/srv/${node}`,
      GANETI_HOSTNAME: node,
      PYTHONPATH: '/srv/python',
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')}: exit status ${status}\n${stdout}${stderr}`);
}

export const nodeName = (number: number): string => `node${number}.example.com`;

/** A command of Ganeti's, on the master node. */
export const ganeti = (command: string, ...args: readonly string[]): string =>
  onNode(nodeName(1), command, ...args);

/**
 * An instance on mirrored disks, which runs.
 * @param homes its nodes, with a colon between; undefined = where hail puts it
 */
export function addInstance(name: string, memory: string, homes?: string): void {
  const words = '-t drbd --disk 0:size=1G -o noop+default --no-nics --no-name-check --no-ip-check'.split(' ');
  const free = ['--no-conflicts-check', '--no-wait-for-sync', '-B', `memory=${memory},vcpus=1`];
  ganeti('gnt-instance', 'add', ...words, ...free, ...(homes ? ['-n', homes] : ['-I', 'hail']), name);
}

export type Role = 'offline' | 'drained';

/** A file for each instance that the fake hypervisor runs. */
const runningOn = (node: string): string => `/srv/${node}/var/run/ganeti/fake-hypervisor`;

/** As if the node's power were gone. */
export function killInstances(node: string): void {
  for (const name of readdirSync(runningOn(node))) rmSync(`${runningOn(node)}/${name}`);
}

/**
 * A node that comes back from the dead does not run what others run by now. The fake hypervisor keeps a file
 * for each instance, on nodes that are only said to be offline, too.
 */
function dropMovedInstances(node: string): void {
  const running = runningOn(node);
  const own = ganeti('gnt-instance', 'list', '--no-headers', '-o', 'name', '-F', `pnode == "${node}"`);
  for (const name of readdirSync(running)) if (!own.split(/\s+/).includes(name)) rmSync(`${running}/${name}`);
}

export function setRole(node: number, role: Role, isOn: boolean): void {
  if (role === 'offline' && !isOn) dropMovedInstances(nodeName(node));
  // Forced, for it would ask whether the node is really well again.
  ganeti('gnt-node', 'modify', '--force', `--${role}=${isOn ? 'yes' : 'no'}`, nodeName(node));
}

/** Whether a node can take no more disks. */
export function setFull(node: string, isFull: boolean): void {
  const file = `/srv/${node}/pretended/full`;
  if (isFull) writeFileSync(file, '');
  else rmSync(file);
}

/** What the clock was set to when the cluster had come up (cluster.sh). */
const AGE_SECONDS = 86_400;

/** Sets the clock on the wall, of the cluster and of the programs, so many seconds on from what it was. */
export const setClock = (seconds: number): void => writeFileSync('/srv/clock', `+${AGE_SECONDS + seconds}\n`);

/** Sets it to a time, in ms since 1970. */
export function clockTo(timeMs: number): void {
  const ahead = Number(readFileSync('/srv/clock', 'utf8'));
  setClock(Math.round((timeMs - Date.now()) / 1000) + ahead - AGE_SECONDS);
}

/** The daemon through which the master asks a node, or the one that tells its load. */
export function setDaemon(node: number, daemon: 'noded' | 'mond', isOn: boolean): void {
  onNode(nodeName(node), '/usr/lib/ganeti/daemon-util', isOn ? 'start' : 'stop', `ganeti-${daemon}`);
}
