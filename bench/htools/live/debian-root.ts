/**
 * Roots of Debian releases with their Ganeti: made by mmdebstrap from the mirror that this machine uses,
 * once, and kept with the modules.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What each release brings of its own, besides Ganeti; Debian 12 has no Node that is new enough. */
const RELEASES = { bookworm: [], trixie: ['nodejs'] } as const;
export type Release = keyof typeof RELEASES;
export const RELEASE_NAMES = Object.keys(RELEASES) as readonly Release[];

const PACKAGES =
  'ganeti openssh-server openssh-client iproute2 iputils-arping fping procps libstdc++6 libfaketime'.split(
    ' ',
  );

/** The site of Debian's packages that apt uses here; undefined = mmdebstrap's own choice. */
function mirror(): string | undefined {
  const words = ['indextargets', '--format', '$(SITE)', 'Identifier: Packages', 'Label: Debian'];
  const { stdout } = spawnSync('apt-get', words, { encoding: 'utf8' });
  return stdout?.split('\n').find((line) => line.length > 0);
}

/**
 * The root of a release.
 * @param folder where roots are kept
 * @returns its path, or why there is none
 */
export function debianRoot(
  release: Release,
  folder: string,
): { readonly path: string } | { readonly why: string } {
  const include = [...PACKAGES, ...RELEASES[release]].join(',');
  const path = join(folder, `${release}-${createHash('sha256').update(include).digest('hex').slice(0, 8)}`);
  if (existsSync(path)) return { path };
  const unfinished = `${path}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const site = mirror();
  const words = ['--variant=apt', `--include=${include}`, release, unfinished, ...(site ? [site] : [])];
  const { status, stderr } = spawnSync('mmdebstrap', words, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0)
    return {
      why: `mmdebstrap makes no root of ${release}: ${stderr.trim().split('\n').slice(-2).join(' ')}`,
    };
  renameSync(unfinished, path);
  return { path };
}
