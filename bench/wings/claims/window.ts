/** A process of the bench works for as long as it is told, whenever it is told, and says how much it did. */

/** What one window of a process gave. */
export interface WindowResult {
  readonly count: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Works before the first window. */
export const WARM_UP = 500;

/** A window ends after so many milliseconds, or works, whichever comes first. */
export interface WindowLimit {
  readonly milliseconds: number;
  readonly most: number;
}

/**
 * Serves windows to the parent: says `ready` after `WARM_UP` works, then works for each limit that it is sent.
 * @param work one piece of work; so many at once as there are `clients`.
 */
export async function serveWindows(
  work: (i: number) => Promise<unknown>,
  clients: number,
  close: () => Promise<unknown>,
): Promise<void> {
  let next = 0;
  while (next < WARM_UP) await work(next++);
  const client = async (until: number, last: number): Promise<number> => {
    let count = 0;
    for (; next < last && performance.now() < until; count++) await work(next++);
    return count;
  };
  process.on('message', async ({ milliseconds, most }: WindowLimit) => {
    const cpu = process.cpuUsage();
    const begin = performance.now();
    const last = next + most;
    const counts = await Promise.all(
      Array.from({ length: clients }, () => client(begin + milliseconds, last)),
    );
    const { user, system } = process.cpuUsage(cpu);
    const result: WindowResult = {
      count: counts.reduce((sum, count) => sum + count, 0),
      seconds: (performance.now() - begin) / 1000,
      cpuSeconds: (user + system) / 1e6,
    };
    process.send!(result);
  });
  process.on('disconnect', () => void close());
  process.send!('ready');
}
