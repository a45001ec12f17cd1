/**
 * What `npm run check -- live` is asked: read before the cluster is brought up, and again by the checks
 * inside it.
 */
import { readArguments, refuse } from '../../arguments.ts';
import { RELEASE_NAMES, type Release } from './debian-root.ts';

const USAGE = `usage: npm run check -- live [--release ${RELEASE_NAMES.join('|')}] [--short] [--seed N] [--parts A,B]`;

const isRelease = (name: string): name is Release => (RELEASE_NAMES as readonly string[]).includes(name);

export function readLiveArguments() {
  const { values } = readArguments(USAGE, {
    release: { type: 'string', default: 'trixie' },
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    parts: { type: 'string' },
  });
  const { release } = values;
  if (!isRelease(release)) refuse(USAGE, `There is no release '${release}'`);
  return { ...values, release };
}
