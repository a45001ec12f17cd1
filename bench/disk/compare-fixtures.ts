/**
 * Compares hdisk with expected layouts: `npm run compare -- layouts FILE...`. Each file is YAML with
 * `dynamic_schema`, `hw_info` and `expected`, as the tests of Bareon's allocator have them
 * (bareon_allocator/tests/fixtures in its repository).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readArguments, refuse } from '../arguments.ts';

const HDISK = fileURLToPath(new URL('../../bin/hdisk', import.meta.url));

const USAGE = 'usage: npm run compare -- layouts FILE...';
const { positionals: files } = readArguments(USAGE, {}, Number.POSITIVE_INFINITY);
if (files.length === 0) refuse(USAGE, 'No files are named');
let failed = 0;
for (const rounding of ['down', 'largest'])
  for (const file of files) {
    const { expected } = parse(readFileSync(file, 'utf8')) as { expected: unknown };
    const words = ['-s', file, '--format', 'static', '--rounding', rounding];
    const { stdout, stderr } = spawnSync(HDISK, words, { encoding: 'utf8' });
    const isEqual = JSON.stringify(parse(stdout)) === JSON.stringify(expected);
    if (isEqual) continue;
    failed++;
    console.log(`${basename(file)}, rounding ${rounding}: differs\n${stderr}${stdout}`);
  }
console.log(`${files.length} files, each rounded both ways: ${failed} differ`);
process.exit(failed > 0 ? 1 : 0);
