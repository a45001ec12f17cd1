/** Bytes to text, with an error that says where the bytes stop being UTF-8. */
import { isUtf8 } from 'node:buffer';
import { InputError } from '../faults.ts';

const BYTE_ORDER_MARK = '\ufeff';
const NEWLINE = 0x0a;
const GZIP_MARK = [0x1f, 0x8b];

/**
 * Decodes a whole input. @throws InputError with line and column of the first bad byte, or for a byte order
 * mark.
 */
export function decodeUtf8(bytes: Uint8Array, source: string): string {
  if (!isUtf8(bytes)) throw new InputError(source, [invalidByte(bytes)]);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const problem = 'the input starts with a byte order mark';
    throw new InputError(source, [{ line: 1, column: 1, problem, remedy: 'save it as UTF-8 without one' }]);
  }
  return text;
}

/** The same of what may be text already. */
export const asText = (content: Uint8Array | string, source: string): string =>
  typeof content === 'string' ? content : decodeUtf8(content, source);

function invalidByte(bytes: Uint8Array) {
  const at = validPrefixLength(bytes);
  const isZipped = GZIP_MARK.every((byte, k) => bytes[k] === byte);
  let line = 1;
  let lineStart = 0;
  for (let i = bytes.indexOf(NEWLINE); i >= 0 && i < at; i = bytes.indexOf(NEWLINE, i + 1)) {
    line++;
    lineStart = i + 1;
  }
  return {
    line,
    column: at - lineStart + 1,
    value: `0x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`,
    problem: 'this byte is not UTF-8 text',
    remedy: isZipped
      ? 'the file is compressed: unpack it with gunzip'
      : 'the file is not a text file, or was written in another encoding; convert it to UTF-8',
  };
}

function validPrefixLength(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = bytes[at]! < 0x80 ? 1 : multiByteLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

/** Length of the character of two to four bytes that starts here; 0 when there is none. */
function multiByteLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
