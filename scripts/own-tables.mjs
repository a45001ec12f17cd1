/**
 * The tables of options and programs as a program's bundle has them: its own entry and options only, without the texts of manual pages.
 * All tables together are a quarter of what hail reads at its start, and it needs twenty of two hundred options. What only a missing
 * option leads to is left out of hail, too, which Ganeti starts for every request.
 */
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const TABLES = { options: 'src/cli/options/option-table.ts', programs: 'src/cli/options/program-table.ts' };
/** Members that only `npm run docs` reads. */
const LEFT_OUT = new Set(['manual']);

/** Where clusters are loaded, and what is imported there for one option only. */
const LOADER = 'src/sources/load-snapshot.ts';
const READ_FOR = {
  master: './rapi/read-rapi.ts',
  luxi: './luxi/read-luxi.ts',
  load: './load/load-files.ts',
  dynuFile: './usage/dynamic-use.ts',
  mond: './mond/ask-for-loads.ts',
  mondData: './mond/mond.ts',
  simulate: './simulate/simulate.ts',
  whatIf: '../cluster/edits/apply-edits.ts',
};

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

/** A plugin that leaves out of hail's file what its options never ask for. Others read clusters for other reasons as well. */
export function withoutOthers(root, { PROGRAMS }, program) {
  const isLean = program === 'hail';
  const missing = Object.keys(READ_FOR).filter((key) => isLean && !PROGRAMS[program].options.includes(key));
  const paths = new Set(missing.map((key) => READ_FOR[key]));
  return {
    name: 'without-others',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, importer, kind }) =>
        kind === 'dynamic-import' && importer === join(root, LOADER) && paths.has(path)
          ? { path, namespace: 'left-out' }
          : undefined,
      );
      onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
        contents: `throw new Error('${path} is no part of ${program}: it has no option for that');`,
      }));
    },
  };
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
