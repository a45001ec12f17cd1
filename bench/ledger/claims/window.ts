/** A process of the bench works for as long as it is told, whenever it is told, and says how much it did. */

/** What one window of a process gave. */
export interface WindowResult {
  readonly count: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/**
 * The first works of a process are cold: V8 reads its code, and compiles what is used often. Warm is who has
 * done so many, or worked for so long on a machine with other work.
 */
export const COLD = 500;
export const WARM_UP = 3000;
const WARM_UP_SECONDS = 20;

/** A window ends after so many milliseconds, or works, whichever comes first. */
export interface WindowLimit {
  readonly milliseconds: number;
  readonly most: number;
}

/**
 * Serves windows to the parent: works until it is warm, one after the other, and tells what the cold part of
 * that gave; then works for each limit that it is sent.
 * @param work one piece of work; so many at once as there are `clients`.
 */
export async function serveWindows(
  work: (i: number) => Promise<unknown>,
  clients: number,
  close: () => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const client = async (until: number, last: number): Promise<number> => {
    let count = 0;
    for (; next < last && performance.now() < until; count++) await work(next++);
    return count;
  };
  const window = async ({ milliseconds, most }: WindowLimit, clientCount: number): Promise<WindowResult> => {
    const cpu = process.cpuUsage();
    const begin = performance.now();
    const last = next + most;
    const counts = await Promise.all(
      Array.from({ length: clientCount }, () => client(begin + milliseconds, last)),
    );
    const { user, system } = process.cpuUsage(cpu);
    return {
      count: counts.reduce((sum, count) => sum + count, 0),
      seconds: (performance.now() - begin) / 1000,
      cpuSeconds: (user + system) / 1e6,
    };
  };
  const cold = await window({ milliseconds: Infinity, most: COLD }, 1);
  await window({ milliseconds: WARM_UP_SECONDS * 1000, most: WARM_UP - COLD }, 1);
  process.on('message', async (limit: WindowLimit) => process.send!(await window(limit, clients)));
  process.on('disconnect', () => void close());
  process.send!(cold);
}
