/**
 * Ahead of all tests: the programs that they run are built from the sources as they are now, by whatever
 * command the tests were started.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { config } from 'chai';
import { optimiseLater } from '../src/kit/cli/optimise-later.ts';

const BUILD = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url));

// As the programs do.
optimiseLater();

// A misspelt assertion does not compile; watching for it at each word of each assertion costs more than all
// else that Chai does.
config.useProxy = false;

/** Journals of the executions in tests; Mocha's workers have it from their parent. */
const isFirst = process.env.STATE_DIRECTORY === undefined;
process.env.STATE_DIRECTORY ??= mkdtempSync(join(tmpdir(), 'evk-state-'));

/** Mocha calls this once, when all is over. */
export function mochaGlobalTeardown(): void {
  if (isFirst) rmSync(process.env.STATE_DIRECTORY!, { recursive: true, force: true });
}

/** Mocha calls this once, before it starts its workers. */
export function mochaGlobalSetup(): void {
  const { status } = spawnSync(process.execPath, [BUILD, '--programs'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the programs cannot be built, so nothing was tested');
}
