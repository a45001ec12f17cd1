/** Processes that a check kills at random moments, each followed by a new one; none may end by itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Random } from '../generate/random.ts';

export class Herd {
  kills = 0;
  /** What is wrong: those that ended by themselves. */
  readonly troubles: string[] = [];
  private started = 0;
  private readonly ends: Promise<void>[] = [];
  private readonly children: ChildProcess[];

  /** @param wordsOf the words behind `node` of the process of that name */
  constructor(
    count: number,
    private readonly wordsOf: (name: string) => readonly string[],
  ) {
    this.children = Array.from({ length: count }, () => this.start());
  }

  killOne(random: Random): void {
    const at = random.below(this.children.length);
    this.children[at]!.kill('SIGKILL');
    this.kills++;
    this.children[at] = this.start();
  }

  /** Kills all; returns when they are gone. */
  async end(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    await Promise.all(this.ends);
  }

  private start(): ChildProcess {
    const name = `w${++this.started}`;
    const child = spawn(process.execPath, this.wordsOf(name), { stdio: 'inherit' });
    const end = new Promise<void>((resolve) => {
      child.once('exit', (status, signal) => {
        if (signal !== 'SIGKILL') this.troubles.push(`${name} ended by itself, with ${signal ?? status}`);
        resolve();
      });
    });
    this.ends.push(end);
    return child;
  }
}
