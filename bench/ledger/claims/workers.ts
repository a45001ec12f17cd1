/**
 * The processes of the bench, and windows of work by turns: each compared with another one in the same
 * seconds.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { WindowLimit, WindowResult } from './window.ts';

/** Some processes that work in the same windows. */
export class Workers {
  private readonly children: readonly ChildProcess[];
  /** What their first works gave, all processes together. */
  readonly cold: Rate;

  private constructor(children: readonly ChildProcess[], cold: Rate) {
    this.children = children;
    this.cold = cold;
  }

  /** Starts one process for each list of words, and waits until all are warm. */
  static async start(file: string, words: readonly (readonly string[])[]): Promise<Workers> {
    const children = words.map((list) => fork(file, [...list]));
    const cold = await Promise.all(children.map((child) => answerOf<WindowResult>(child)));
    return new Workers(children, rateOf([together(cold)]));
  }

  /** All processes work up to the limit. */
  async work(limit: WindowLimit): Promise<WindowResult> {
    const answers = this.children.map((child) => answerOf<WindowResult>(child));
    for (const child of this.children) child.send(limit);
    const results = await Promise.all(answers);
    return together(results);
  }

  async end(): Promise<void> {
    await Promise.all(
      this.children.map(
        (child) =>
          new Promise((resolve) => {
            child.once('exit', resolve);
            child.disconnect();
          }),
      ),
    );
  }
}

const answerOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const failed = (status: number | null): void =>
      reject(new Error(`a process ended with status ${status}`));
    child.once('exit', failed);
    child.once('message', (message) => {
      child.off('exit', failed);
      resolve(message as T);
    });
  });

/** What processes did at the same time. */
const together = (results: readonly WindowResult[]): WindowResult => ({
  count: results.reduce((sum, { count }) => sum + count, 0),
  seconds: Math.max(...results.map(({ seconds }) => seconds)),
  cpuSeconds: results.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
});

/** What several windows gave together. */
export interface Rate {
  readonly perSecond: number;
  readonly cpuMicrosecondsEach: number;
}

const rateOf = (windows: readonly WindowResult[]): Rate => {
  const sum = (part: keyof WindowResult): number => windows.reduce((total, one) => total + one[part], 0);
  return {
    perSecond: Math.round(sum('count') / sum('seconds')),
    cpuMicrosecondsEach: Math.round((sum('cpuSeconds') / sum('count')) * 1e6),
  };
};

/** Both work by turns, `turns` windows each; the ratio is the median of the turns' ratios. */
export async function byTurns(
  a: Workers,
  b: Workers,
  turns: number,
  limit: WindowLimit,
): Promise<{ readonly a: Rate; readonly b: Rate; readonly ratio: number }> {
  const windows: { readonly a: WindowResult; readonly b: WindowResult }[] = [];
  for (let turn = 0; turn < turns; turn++) windows.push({ a: await a.work(limit), b: await b.work(limit) });
  const ratios = windows.map((one) => one.a.count / one.a.seconds / (one.b.count / one.b.seconds));
  ratios.sort((x, y) => x - y);
  return {
    a: rateOf(windows.map((one) => one.a)),
    b: rateOf(windows.map((one) => one.b)),
    ratio: Number(ratios[Math.floor(turns / 2)]!.toFixed(2)),
  };
}
