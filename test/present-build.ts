/**
 * Ahead of all tests: the programs that they run are built from the sources as they are now, by whatever
 * command the tests were started.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url));

/** Mocha calls this once, before it starts its workers. */
export function mochaGlobalSetup(): void {
  const { status } = spawnSync(process.execPath, [BUILD, '--programs'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the programs cannot be built, so nothing was tested');
}
