/**
 * What a piece of text is to its reader, for terminals in colour, said where it is written. Without colour a
 * piece is its plain text.
 */

/** Good news; bad news; what is not as it should be; what is to be done; the figure that it is all about. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'deed' | 'figure';

/** A character of private use ahead of a piece and one behind it: shown by nobody, they pass as printable. */
const OPENERS: Readonly<Record<Tone, string>> = {
  good: '\ue001',
  bad: '\ue002',
  doubtful: '\ue003',
  deed: '\ue004',
  figure: '\ue005',
};
const CLOSER = '\ue000';
const TONES = Object.keys(OPENERS) as Tone[];
const MARKS = /[\ue000-\ue005]/;
const PIECES = /([\ue001-\ue005])([^\ue000-\ue005\n]*)\ue000/g;

let isMarking = false;

/** From now on pieces are marked; what prints them has to show or drop the marks. */
export function markTones(wanted: boolean): void {
  isMarking = wanted;
}

/** A piece in its tone: its first line, for what follows are details. One with marks in it is left alone. */
export const toned = (tone: Tone, text: string): string =>
  isMarking && !MARKS.test(text) ? text.replace(/^[^\n]+/, (line) => OPENERS[tone] + line + CLOSER) : text;

export const warning = (message: string): string => `${toned('doubtful', `Warning: ${message}`)}\n`;

export const showTones = (text: string, show: (tone: Tone, piece: string) => string): string =>
  text.replace(PIECES, (_, opener: string, piece: string) =>
    show(TONES.find((tone) => OPENERS[tone] === opener)!, piece),
  );

/** The text without marks, for files and for streams without colour. */
export const withoutTones = (text: string): string =>
  isMarking ? showTones(text, (_, piece) => piece) : text;
