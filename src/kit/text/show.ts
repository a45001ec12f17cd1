/** Values as Haskell's `show` writes them (byte contract; Haskell 2010 report, 11.4); numbers: numbers.ts. */

/** Names of the control characters 0 to 31. */
const CONTROL_NAMES = [
  ...'NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI'.split(' '),
  ...'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(' '),
];
const DELETE_CODE = 127;

function showCharacter(character: string, next: string | undefined): string {
  if (character === '"') return '\\"';
  if (character === '\\') return '\\\\';
  const code = character.codePointAt(0)!;
  if (code === DELETE_CODE) return '\\DEL';
  const name = CONTROL_NAMES[code];
  if (name !== undefined) {
    // `\SO` in front of an H would read as `\SOH`.
    return name === 'SO' && next === 'H' ? '\\SO\\&' : `\\${name}`;
  }
  if (code < DELETE_CODE) return character;
  return next !== undefined && /^[0-9]$/.test(next) ? `\\${code}\\&` : `\\${code}`;
}

/** `show` of a String: in double quotes, with everything outside of ASCII as a decimal code. */
export function showString(text: string): string {
  const characters = [...text];
  return `"${characters.map((character, at) => showCharacter(character, characters[at + 1])).join('')}"`;
}

/** `show` of a list whose elements are shown already. */
export const showList = (shown: readonly string[]): string => `[${shown.join(',')}]`;
