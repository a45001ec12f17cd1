/** Names that a text file uses and never defines: each is told once, however many lines use it. */
import type { ProblemList } from '../../../kit/files/problem-list.ts';
import { count } from '../../../kit/text/words.ts';

const SHOWN = 10;

interface Use {
  readonly name: string;
  readonly remedy: string;
  /** Each once, in their order. */
  readonly lines: number[];
}

export class UnknownNames {
  private readonly uses = new Map<string, Use>();

  /** @param what has the name, such as `node` @returns whether this line uses it first, which is told */
  isFirst(what: string, name: string, line: number, remedy: string): boolean {
    const key = `${what} ${name}`;
    const use = this.uses.get(key);
    if (!use) this.uses.set(key, { name, remedy, lines: [line] });
    else if (use.lines.at(-1) !== line) use.lines.push(line);
    return use === undefined;
  }

  /** Tells how many other lines use each of them. */
  addRest(problems: ProblemList): void {
    for (const { name, remedy, lines } of this.uses.values()) {
      const [, ...others] = lines;
      if (others.length === 0) continue;
      const shown = `${others.slice(0, SHOWN).join(', ')}${others.length > SHOWN ? ', ...' : ''}`;
      const problem = `${count(others.length, 'more line names', 'more lines name')} it: ${shown}`;
      problems.add({ value: name, problem, remedy });
    }
  }
}
