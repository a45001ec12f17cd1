/** Nodes that start anew: by what it is seen that they have. Source: gnt-node(8), the field `bootid`. */
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { timerMs } from '../../../kit/units.ts';
import { queriedByName, rowsAbout } from '../jobs/power.ts';
import { isReboot } from './job-facts.ts';
import type { MasterLine } from './master-line.ts';
import type { WorkJob } from './work.ts';

/** What each node's running system calls itself, by name; empty where it does not answer. */
export async function bootIds(master: MasterLine): Promise<ReadonlyMap<string, string>> {
  const ids = queriedByName(await master.ask('Query', ['node', ['name', 'bootid'], null]), '');
  return new Map(
    [...ids].flatMap(([name, id]) =>
      typeof name === 'string' && typeof id === 'string' ? [[name, id]] : [],
    ),
  );
}

/** The same where one of the jobs starts its node anew; else nobody is asked. */
export const bootIdsFor = async (
  master: MasterLine,
  jobs: readonly { readonly work: WorkJob }[],
): Promise<ReadonlyMap<string, string>> =>
  jobs.some(({ work }) => isReboot(work)) ? bootIds(master) : new Map();

/** Whether a node answers as another system than before; false where that is not known. */
export function isBack(ids: ReadonlyMap<string, string>, node: string, before: string | undefined): boolean {
  const now = ids.get(node);
  return before !== undefined && Boolean(now) && now !== before;
}

/** All that is set about a node, and who is on it, as a text that shows a change; no node has to answer. */
export async function nodeSettings(master: MasterLine): Promise<(node: string) => string> {
  const nodes = await master.ask('Query', ['node', ['name', 'role', 'tags'], null]);
  const instances = await master.ask('Query', ['instance', ['pnode', 'name', 'admin_state'], null]);
  return (node) => JSON.stringify([nodes, instances].map((answer) => rowsAbout(answer, node)));
}

/** Why a program cannot be run, as far as can be told ahead; of a name alone only a search of PATH could. */
export function whyNotRun(command: string): string | undefined {
  if (!command.includes('/')) return undefined;
  try {
    accessSync(command, constants.X_OK);
    return statSync(command).isDirectory() ? 'it is a directory' : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/**
 * Runs a program with the node's name as its argument.
 * @param seconds how long it is waited for: one that hangs, as a connection to a node that went down does,
 *   tells nothing, and the node shows whether it starts anew
 * @returns why it did not do its work, or undefined
 */
export const runRebootCommand = (
  command: string,
  node: string,
  seconds: number,
): Promise<string | undefined> =>
  new Promise((resolve) => {
    // Ctrl-C is for us: a reboot that was begun is brought to its end.
    const child = spawn(command, [node], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
    const timer = setTimeout(() => {
      child.unref();
      resolve(undefined);
    }, timerMs(seconds));
    const end = (why: string | undefined): void => {
      clearTimeout(timer);
      resolve(why);
    };
    child.on('error', (error) =>
      end(`${command} ${node}: ${(error as NodeJS.ErrnoException).code ?? error.message}`),
    );
    child.on('close', (status, signal) =>
      end(status === 0 ? undefined : `${command} ${node} ended with ${signal ?? `exit status ${status}`}`),
    );
  });
