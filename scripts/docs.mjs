/**
 * Makes the made parts of the manual pages: option blocks from the tables of options, and the output of the
 * examples by running them; and the schemas of all documents, from the products' folders results/.
 *
 *   npm run docs             rewrites man/* and schemas/*.json
 *   npm run docs -- --check  changes nothing; ends with status 1 when a file is out of date
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  exitStatusTable,
  STATUS_MARKS,
  withBlock,
  withExampleOutput,
  withOptions,
  withStatuses,
} from '../src/kit/cli/help/man-page.ts';
import { DOCUMENTS, schemaText } from '../src/suite/documents.ts';
import { COMMON_PAGES, commonPageOptions, programOptions } from '../src/suite/manual.ts';
import { PROGRAM_NAMES, PROGRAMS } from '../src/suite/programs.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const onlyChecks = process.argv.includes('--check');
const PATH = [join(ROOT, 'bin'), process.env.PATH].join(delimiter);

function fail(message) {
  process.stderr.write(`Error: ${message}\n`);
  process.exitCode = 1;
}

function outputOf(command) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PATH },
  });
  if (status !== 0 || stderr !== '') fail(`${command}: exit status ${status}\n${stderr}`);
  return stdout;
}

function update(path, before, after) {
  if (after === before) return;
  if (onlyChecks) fail(`${path} is out of date\nMaybe run: npm run docs`);
  else if (!process.exitCode) writeFileSync(join(ROOT, path), after);
}

for (const page of COMMON_PAGES) {
  const path = `man/${page}.7`;
  const before = readFileSync(join(ROOT, path), 'utf8');
  const after = withOptions(before, commonPageOptions(page));
  if (after === undefined) fail(`${path} has no markers for options`);
  update(path, before, after ?? before);
}

for (const program of PROGRAM_NAMES) {
  const path = `man/${program}.1`;
  const before = readFileSync(join(ROOT, path), 'utf8');
  const made = withStatuses(withOptions(before, programOptions(program)) ?? '', PROGRAMS[program]);
  if (made === undefined) fail(`${path} has no markers for options and exit statuses`);
  update(path, before, withExampleOutput(made ?? before, outputOf));
}

/** Tables in the documentation that the tables of programs say. */
const STATUS_PAGE = 'docs/reference/machine-readable.md';
const statusPage = readFileSync(join(ROOT, STATUS_PAGE), 'utf8');
update(
  STATUS_PAGE,
  statusPage,
  withBlock(statusPage, STATUS_MARKS, exitStatusTable(PROGRAM_NAMES.map((name) => PROGRAMS[name]))),
);

mkdirSync(join(ROOT, 'schemas'), { recursive: true });
for (const name of Object.keys(DOCUMENTS)) {
  const path = `schemas/${name}.json`;
  const before = existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '';
  update(path, before, schemaText(name));
}
