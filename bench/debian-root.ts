/**
 * Roots of Debian with packages that checks bring up: made by mmdebstrap from the mirror that this machine
 * uses, once, and kept with the modules.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where roots are kept. */
export const FOLDER = fileURLToPath(new URL('../node_modules/.cache/evenkeel/roots', import.meta.url));

/** The site of Debian's packages that apt uses here; undefined = mmdebstrap's own choice. */
function mirror(): string | undefined {
  const words = ['indextargets', '--format', '$(SITE)', 'Identifier: Packages', 'Label: Debian'];
  const { stdout } = spawnSync('apt-get', words, { encoding: 'utf8' });
  return stdout?.split('\n').find((line) => line.length > 0);
}

/**
 * The root of that name.
 * @param release of Debian. @param packages that it has beside what apt needs
 * @returns its path, or why there is none
 */
export function debianRoot(
  name: string,
  release: string,
  packages: readonly string[],
): { readonly path: string } | { readonly why: string } {
  const include = packages.join(',');
  const path = join(FOLDER, `${name}-${createHash('sha256').update(include).digest('hex').slice(0, 8)}`);
  if (existsSync(path)) return { path };
  if (spawnSync('mmdebstrap', ['--version']).status !== 0)
    return { why: 'the Debian package mmdebstrap is missing' };
  const unfinished = `${path}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const site = mirror();
  const words = ['--variant=apt', `--include=${include}`, release, unfinished];
  const { status, stderr } = spawnSync('mmdebstrap', [...words, ...(site ? [site] : [])], {
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
