/**
 * What `npm run check -- live` is asked: read before the cluster is brought up, and again by the checks
 * inside it.
 */
import { readArguments, refuse } from '../../arguments.ts';

/** What each release brings of its own, besides Ganeti; Debian 12 has no Node that is new enough. */
const RELEASES = { bookworm: [], trixie: ['nodejs'] } as const;
type Release = keyof typeof RELEASES;
const RELEASE_NAMES = Object.keys(RELEASES) as readonly Release[];

const PACKAGES =
  'ganeti openssh-server openssh-client iproute2 iputils-arping fping procps libstdc++6 libfaketime'.split(
    ' ',
  );
export const packagesOf = (release: Release): readonly string[] => [...PACKAGES, ...RELEASES[release]];

const RELEASE_WORD = `[--release ${RELEASE_NAMES.join('|')}]`;
const USAGE = `usage: npm run check -- live ${RELEASE_WORD} [--short] [--seed N] [--parts A,B]
usage: npm run check -- soak ${RELEASE_WORD} [--seed N]`;

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
