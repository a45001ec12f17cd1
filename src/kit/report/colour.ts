/** Colour, on terminals only: good news green, bad news yellow or red, what is to be done cyan. */
import { isTerminal, STDERR, STDOUT, setPainter } from './output.ts';
import { markTones, showTones, type Tone, withoutTones } from './tone.ts';

type ColourChoice = 'auto' | 'always' | 'never';

const COLOURS: Readonly<Record<Tone, 'green' | 'yellow' | 'red' | 'cyan' | 'bold'>> = {
  good: 'green',
  bad: 'red',
  doubtful: 'yellow',
  deed: 'cyan',
  figure: 'bold',
};

/** Whether text for a stream is to be coloured. Source: no-color.org. */
function wantsColour(choice: ColourChoice, descriptor: number): boolean {
  if (choice !== 'auto') return choice === 'always';
  return isTerminal(descriptor) && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

/** Colours standard output and error from now on where wanted; only then the package is loaded. */
export async function colourOutput(choice: ColourChoice): Promise<void> {
  const [out, err] = [STDOUT, STDERR].map((descriptor) => wantsColour(choice, descriptor));
  if (!out && !err) return;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const paint = (text: string): string => showTones(text, (tone, piece) => chalk[COLOURS[tone]](piece));
  markTones(true);
  setPainter('out', out ? paint : withoutTones);
  setPainter('err', err ? paint : withoutTones);
}
