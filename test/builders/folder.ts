import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test's own. It goes with those of all tests at their end (present-build.mjs). */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'evk-'));
