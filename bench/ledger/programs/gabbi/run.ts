/**
 * Placement's own HTTP tests against hplaced.
 *
 *   npm run check -- gabbi CHECKOUT [--only PART] [--db URL] [--verbose]
 *
 * CHECKOUT is a copy of the repository openstack/placement, which is read and never copied; Debian's
 * python3-gabbi runs its tests. Prints one JSON document with the counts, and with the reason of each failure
 * and of each file that is out of scope.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../../../arguments.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const USAGE = 'usage: npm run check -- gabbi CHECKOUT [--only PART] [--db URL] [--verbose]';
const { values, positionals } = readArguments(
  USAGE,
  { only: { type: 'string' }, db: { type: 'string' }, verbose: { type: 'boolean', default: false } },
  1,
);
const [checkout] = positionals;
if (checkout === undefined) {
  console.error(
    'Error: no copy of openstack/placement is named\nMaybe: git clone https://opendev.org/openstack/placement, then npm run check -- gabbi placement',
  );
  process.exit(2);
}
const words = [
  ...(values.only === undefined ? [] : ['--only', values.only]),
  ...(values.db === undefined ? [] : ['--db', values.db]),
  ...(values.verbose ? ['--verbose'] : []),
];
const { status } = spawnSync(
  '/usr/bin/python3',
  [at('run-gabbi.py'), checkout, at('../../../../bin/hplaced'), ...words],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
