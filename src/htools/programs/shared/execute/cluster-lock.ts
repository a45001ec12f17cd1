/** One execution at a time on a cluster: its lock stands beside the socket of the master. */
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ClusterChangedError } from '../../../../kit/faults.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { MS_PER_S } from '../../../../kit/units.ts';
import { takeLock } from '../../../ganeti/execution/run-lock.ts';
import { pause } from '../../../ganeti/wire/limits.ts';

const LOOK_SECONDS = 0.5;

let release = (): void => {};

/** Gives the cluster free for others; the end of the process does, too. */
export function unlockCluster(): void {
  release();
  release = () => {};
}

/**
 * The socket under its first name, as it may have several, also while it is away with the master's daemon.
 * @returns undefined where it cannot be: what reads the cluster next says better what is wrong
 */
function firstNameOf(socket: string): string | undefined {
  if (existsSync(socket)) return realpathSync(socket);
  const folder = dirname(socket);
  try {
    accessSync(folder, constants.W_OK);
    return join(realpathSync(folder), basename(socket));
  } catch {
    return undefined;
  }
}

/**
 * Takes the cluster for this process.
 * @param seconds how long another execution is waited for
 * @throws ClusterChangedError when it has not ended by then
 */
export async function lockCluster(socket: string, seconds: number): Promise<void> {
  const path = firstNameOf(socket);
  if (path === undefined) return;
  const end = performance.now() + MS_PER_S * seconds;
  for (let isSaid = false; ; isSaid = true) {
    const taken = takeLock(`${path}.evenkeel`);
    if (typeof taken === 'function') {
      release = taken;
      process.once('exit', unlockCluster);
      return;
    }
    if (performance.now() >= end)
      throw new ClusterChangedError(
        `${taken} is carrying out a plan on this cluster; nothing was submitted`,
        'wait for it, allow more time with --wait, or end it with SIGINT',
      );
    if (!isSaid) printErr(`Waiting: ${taken} is carrying out a plan on this cluster\n`);
    await pause(LOOK_SECONDS);
  }
}
