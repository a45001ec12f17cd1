/** Spoils one valid input in one to three ways, all from a seed. */
import type { Random } from '../generate/random.ts';
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
