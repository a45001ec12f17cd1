/**
 * The tables of options and programs as a program's bundle has them: its own entry and options only, without the texts of manual pages.
 * All tables together are a quarter of what hail reads at its start, and it needs twenty of two hundred options.
 */
import { relative } from 'node:path';
import { build } from 'esbuild';

const TABLES = { options: 'src/cli/options/option-table.ts', programs: 'src/cli/options/program-table.ts' };
/** Members that only `npm run docs` reads. */
const LEFT_OUT = new Set(['manual']);

/** @returns OPTIONS and PROGRAMS of the sources under `root` */
export async function readTables(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { OPTIONS } from './${TABLES.options}'; export { PROGRAMS } from './${TABLES.programs}';`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** A value of a table as source text: what JSON has, functions that close over nothing, and numbers without end. */
function literal(value) {
  if (typeof value === 'function') return `(${value})`;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${literal(one)}`).join(',')}}`;
}

const withTexts = (root, texts) => ({
  name: 'own-tables',
  setup({ onLoad }) {
    onLoad({ filter: /-table\.ts$/ }, ({ path }) => {
      const contents = texts[relative(root, path)];
      return contents === undefined ? undefined : { contents, loader: 'ts' };
    });
  },
});

/** A plugin that puts the tables of `program` in the place of all. */
export function ownTables(root, { OPTIONS, PROGRAMS }, program) {
  const definition = PROGRAMS[program];
  const options = Object.fromEntries(definition.options.map((key) => [key, OPTIONS[key]]));
  return withTexts(root, {
    [TABLES.options]: `export const OPTIONS = ${literal(options)};`,
    [TABLES.programs]: `const DEFINITION = ${literal(definition)};export const programDefinition = () => DEFINITION;`,
  });
}

/** A plugin for the dispatcher, which every start of a program reads: names and what each program is for. */
export function namesOnly(root, { PROGRAMS }) {
  const summaries = Object.entries(PROGRAMS).map(([name, { summary }]) => [name, { summary }]);
  return withTexts(root, {
    [TABLES.programs]: `const PROGRAMS = ${literal(Object.fromEntries(summaries))};
      export const PROGRAM_NAMES = Object.keys(PROGRAMS).sort();
      export const programDefinition = (program) => PROGRAMS[program];`,
  });
}
