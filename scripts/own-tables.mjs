/**
 * What a program's bundle has of the tables of options and programs: its own entry and options only, without
 * the texts of manual pages. All tables together are a quarter of what hail would read at its start, and it
 * needs twenty of two hundred options. What only a missing option leads to is left out of hail, too, which
 * Ganeti starts for every request.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const TABLE = 'src/suite/programs.ts';
/** Members that only `npm run docs` reads. */
const LEFT_OUT = new Set(['manual', 'endings']);

/** Where clusters are loaded, and what is imported there for one option only. */
const LOADER = /src\/htools\/sources\/load-\w+\.ts$/;
const READ_FOR = {
  load: './load/load-files.ts',
  dynuFile: './usage/dynamic-use.ts',
  mond: './mond/mond.ts',
  whatIf: '../cluster/edits/apply-edits.ts',
};

/** The files in which sources say what they import, and of which option they are. */
const SOURCE = /src\/htools\/sources\/\w+\/source\.ts$/;
const keyOf = (source) => /^ {2}key: '(\w+)'/m.exec(readFileSync(source, 'utf8'))[1];

/** @returns what src/suite/programs.ts exports */
export async function readTables(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [TABLE],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/**
 * A value of a table as source text: what JSON has, functions that close over nothing, and numbers without
 * end.
 */
function literal(value) {
  if (typeof value === 'function') return `(${value})`;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${literal(one)}`).join(',')}}`;
}

/** What `runProgram` takes, as source text. */
export const programText = ({ PROGRAMS }, program) => literal(PROGRAMS[program]);

/** What is said of a source's option: the tables have it for those programs that take it. */
const TEXTS = /^ {4}(?:help: '.*'|manual: `[^`]*`),\n/gm;

/**
 * A plugin that leaves out of hail's file what its options never ask for, and the texts of sources
 * everywhere. Others read clusters for other reasons as well.
 */
export function withoutOthers({ PROGRAMS }, program) {
  const isLean = program === 'hail';
  const isMissing = (key) => isLean && !(key in PROGRAMS[program].options);
  const missing = Object.keys(READ_FOR).filter(isMissing);
  const paths = new Set(missing.map((key) => READ_FOR[key]));
  return {
    name: 'without-others',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, importer, kind }) =>
        kind === 'dynamic-import' &&
        ((LOADER.test(importer) && paths.has(path)) || (SOURCE.test(importer) && isMissing(keyOf(importer))))
          ? { path, namespace: 'left-out' }
          : undefined,
      );
      onLoad({ filter: SOURCE }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replaceAll(TEXTS, ''),
        loader: 'ts',
      }));
      onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
        contents: `throw new Error('${path} is no part of ${program}: it has no option for that');`,
      }));
    },
  };
}

const OPTIONS = /src\/(?:kit\/cli|htools)\/options\/[\w-]+-options\.ts$/;
const MANUALS = /^ {4}manual: `[^`]*`,\n/gm;

/** A plugin that leaves the texts of manual pages out of whole tables. */
export const withoutManuals = {
  name: 'without-manuals',
  setup({ onLoad }) {
    onLoad({ filter: OPTIONS }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(MANUALS, ''),
      loader: 'ts',
    }));
  },
};

/** A plugin for the dispatcher, which every start of a program reads: names and what each program is for. */
export function namesOnly(root, { PROGRAMS }) {
  const summaries = Object.entries(PROGRAMS).map(([name, { summary }]) => [name, { summary }]);
  return {
    name: 'names-only',
    setup({ onLoad }) {
      onLoad({ filter: /programs\.ts$/ }, ({ path }) =>
        path === join(root, TABLE)
          ? {
              contents: `export const PROGRAMS = ${literal(Object.fromEntries(summaries))};
                export const PROGRAM_NAMES = Object.keys(PROGRAMS).sort();`,
              loader: 'ts',
            }
          : undefined,
      );
    },
  };
}
