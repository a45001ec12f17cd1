/** Ways to spoil any file, seen as bytes: what disks, editors, transfers and mistaken file names do. */
import type { Random } from '../../generate/random.ts';

export type ByteMutation = (bytes: Buffer, random: Random) => Buffer;

const NOT_UTF8 = [
  [0xff, 0xfe],
  [0xc3, 0x28],
  [0xed, 0xa0, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0x80],
] as const;
const LONG_LINE = 100_000;

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

function insert(bytes: Buffer, random: Random, piece: Uint8Array): Buffer {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

/** Two positions in order. */
function range(bytes: Buffer, random: Random): [number, number] {
  const ends = [random.below(bytes.length + 1), random.below(bytes.length + 1)];
  return [Math.min(...ends), Math.max(...ends)];
}

export const BYTE_MUTATIONS: Readonly<Record<string, ByteMutation>> = {
  truncate: (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  behead: (bytes, random) => bytes.subarray(random.below(bytes.length + 1)),
  cutOut: (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  repeatPart: (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  flipBits: (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let times = random.between(1, 8); times > 0 && copy.length > 0; times--)
      copy[random.below(copy.length)]! ^= 1 << random.below(8);
    return copy;
  },
  notUtf8: (bytes, random) => insert(bytes, random, Uint8Array.from(random.pick(NOT_UTF8))),
  nul: (bytes, random) => insert(bytes, random, new Uint8Array(random.between(1, 64))),
  carriageReturns: (bytes) => latin1(bytes.toString('latin1').replaceAll('\n', '\r\n')),
  byteOrderMark: (bytes) => Buffer.concat([Uint8Array.from([0xef, 0xbb, 0xbf]), bytes]),
  utf16: (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le'),
  longLine: (bytes, random) =>
    insert(bytes, random, latin1(random.pick(['a', '|', ',', '9', ' ', '"', '[']).repeat(LONG_LINE))),
  noise: (_, random) => Buffer.from(Array.from({ length: random.between(1, 5000) }, () => random.below(256))),
  empty: () => Buffer.alloc(0),
  onlyNewlines: (_, random) => latin1('\n'.repeat(random.between(1, 50))),
  noNewlines: (bytes) => latin1(bytes.toString('latin1').replaceAll('\n', '')),
  doubled: (bytes) => Buffer.concat([bytes, bytes]),
};
