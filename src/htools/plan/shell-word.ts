/** Names in command lines. Pure. */
import { quoted } from '../../kit/text/words.ts';

/** Whether a shell takes the text as one word that stands for itself. */
const isPlain = (text: string): boolean => /^[\w.:@%+=,/-]+$/.test(text);

/** The text as one word of a shell's command line; names as Ganeti allows them stay as they are. */
export const shellWord = (text: string): string => (isPlain(text) ? text : quoted(text));
