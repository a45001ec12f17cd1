/** Asks for /healthz every 10 ms, in a process of its own, so that it does not wait for whoever attacks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { ahead } from './service-process.ts';

/** Of an idle machine 50; whoever shares it waits for the others, too. */
const MOST_MS = { idle: 50, busy: 250 } as const;

/** How busy the machine is, by what it has done in the last minute, and how long anybody may wait then. */
export function loadNow(): { readonly load: number; readonly isBusy: boolean; readonly mostMs: number } {
  const load = Math.round(loadavg()[0]! * 10) / 10;
  const isBusy = load > availableParallelism() / 2;
  return { load, isBusy, mostMs: isBusy ? MOST_MS.busy : MOST_MS.idle };
}

const WATCH = `
  const EVERY_MS = 10;
  const url = process.argv[1];
  let isOver = false, mostMs = 0, asked = 0;
  process.stdin.resume().once('end', () => { isOver = true; });
  (async () => {
    await (await fetch(url)).text();
    console.log('ready');
    while (!isOver) {
      const began = performance.now();
      const response = await fetch(url);
      await response.text();
      mostMs = Math.max(mostMs, response.status === 200 ? performance.now() - began : 1e9);
      asked++;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    console.log(JSON.stringify({ asked, mostMs: Math.round(mostMs) }));
  })();
`;

export interface Watched {
  readonly asked: number;
  /** The longest that it took; a billion when it was not well. */
  readonly mostMs: number;
}

/** @param service its URL. @returns what ends the watch */
export async function watchHealth(service: string): Promise<() => Promise<Watched>> {
  const [command, ...words] = ahead([process.execPath, '-e', WATCH, `${service}/healthz`]);
  const watcher = spawn(command!, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(watcher.stdout, 'data');
  return async () => {
    const said = once(watcher.stdout, 'data');
    watcher.stdin.end();
    return JSON.parse(String((await said)[0])) as Watched;
  };
}
