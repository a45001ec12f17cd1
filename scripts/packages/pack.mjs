/**
 * Makes the npm packages of what `npm run build` has built: evenkeel, evenkeel-ledger and evenkeel-disk.
 *
 *   npm run pack                    in packages/
 *   npm run pack -- --out FOLDER    elsewhere
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './products.mjs';
import { stageAll } from './stage.mjs';

const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'packages') } } });
mkdirSync(values.out, { recursive: true });
for (const { folder } of stageAll()) {
  const words = ['pack', '--silent', '--pack-destination', values.out];
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  process.stdout.write(`${join(values.out, stdout.trim())}\n`);
}
