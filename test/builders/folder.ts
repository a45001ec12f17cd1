import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test's own. Nobody needs to remove it: it goes with those of all tests (present-build.mjs). */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'evk-'));
