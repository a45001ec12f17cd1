/**
 * Colour, on terminals only: good news green, bad news yellow or red, what is to be done cyan. Lines are recognised by
 * their beginning, so that the texts themselves stay the plain bytes that scripts rely on.
 */
import { isatty } from 'node:tty';
import type { ChalkInstance } from 'chalk';
import { setPainter } from '../cli/output.ts';

export type ColourChoice = 'auto' | 'always' | 'never';

type Colour = 'green' | 'yellow' | 'red' | 'cyan' | 'bold';

const LINES: readonly (readonly [RegExp, Colour])[] = [
  [/^Cluster score improved.*/gm, 'green'],
  [/^Cluster is already well balanced.*/gm, 'green'],
  [/^No need to rebalance cluster.*/gm, 'green'],
  [/^Cluster is N\+1 happy$/gm, 'green'],
  [/^(Cluster is N\+1 unhappy|Cluster is not N\+1 happy.*)/gm, 'red'],
  [
    /^(No solution found|Cluster needs rebalancing\.|The cluster contains .* policy-violating nodes\.)/gm,
    'yellow',
  ],
  [/^Warning: .*/gm, 'yellow'],
  [/^Error: .*/gm, 'red'],
  // What a step does, behind its score.
  [/(?<=^ +\d+\. .* )a=.*$/gm, 'cyan'],
  [/(?<=^ +)gnt-instance .*/gm, 'cyan'],
  [/^Cluster score: .*/gm, 'bold'],
];

/** Whether text for a stream is to be coloured. Source: no-color.org. */
function wantsColour(choice: ColourChoice, descriptor: number): boolean {
  if (choice !== 'auto') return choice === 'always';
  return isatty(descriptor) && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

const painterWith =
  (chalk: ChalkInstance) =>
  (text: string): string =>
    LINES.reduce((painted, [line, colour]) => painted.replace(line, (match) => chalk[colour](match)), text);

/** Has standard output and error coloured from now on, where that is wanted. Loads the colour package only then. */
export async function colourOutput(choice: ColourChoice): Promise<void> {
  const [out, err] = [1, 2].map((descriptor) => wantsColour(choice, descriptor));
  if (!out && !err) return;
  const { Chalk } = await import('chalk');
  const paint = painterWith(new Chalk({ level: 1 }));
  if (out) setPainter('out', paint);
  if (err) setPainter('err', paint);
}
