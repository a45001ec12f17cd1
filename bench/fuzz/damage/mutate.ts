/**
 * Spoils one valid input in one to three ways, all from a seed; or changes names and figures that may well be
 * read.
 */
import type { Random } from '../../generate/random.ts';
import { BYTE_MUTATIONS } from './byte-mutations.ts';
import { JSON_MUTATIONS } from './json-mutations.ts';
import { TEXT_MUTATIONS } from './text-mutations.ts';

/** How an input is built; decides which mutations make sense. */
export type InputKind = 'lines' | 'json' | 'words';

export interface SpoiledInput {
  readonly bytes: Buffer;
  /** Names of the mutations, in order. */
  readonly how: readonly string[];
}

const BYTE_SHARE = 0.35;
const AGAIN_SHARE = 0.3;
const MOST = 3;

export function spoil(valid: string, kind: InputKind, random: Random): SpoiledInput {
  const how: string[] = [];
  let bytes: Buffer = Buffer.from(valid, 'utf8');
  do {
    const isByteLevel = kind === 'words' ? random.chance(0.5) : random.chance(BYTE_SHARE);
    if (isByteLevel) {
      const name = random.pick(Object.keys(BYTE_MUTATIONS));
      bytes = BYTE_MUTATIONS[name]!(bytes, random);
      how.push(name);
    } else {
      const table = kind === 'json' ? JSON_MUTATIONS : TEXT_MUTATIONS;
      const name = random.pick(Object.keys(table));
      bytes = Buffer.from(table[name]!(bytes.toString('utf8'), random), 'utf8');
      how.push(name);
    }
  } while (how.length < MOST && random.chance(AGAIN_SHARE));
  return { bytes, how };
}

/**
 * Mutations that leave most inputs in a form that is read: what the programs make of them is what matters.
 */
const ODD_MUTATIONS = [
  'hostileName',
  'oddNumber',
  'nearNumber',
  'swapCells',
  'copyCellBetweenRows',
  'dropLine',
  'swapMembers',
];
const MOST_ODD = 4;

/** Like `spoil`, with mutations of names and figures only. */
export function makeOdd(valid: string, kind: InputKind, random: Random): SpoiledInput {
  if (kind === 'words') return spoil(valid, kind, random);
  const table = kind === 'json' ? JSON_MUTATIONS : TEXT_MUTATIONS;
  const names = ODD_MUTATIONS.filter((name) => table[name] !== undefined);
  const how = Array.from({ length: random.between(1, MOST_ODD) }, () => random.pick(names));
  const text = how.reduce((changed, name) => table[name]!(changed, random), valid);
  return { bytes: Buffer.from(text, 'utf8'), how };
}
