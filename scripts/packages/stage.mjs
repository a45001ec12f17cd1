/** Lays the files of one package into a folder, ready for `npm pack`, and for the .deb. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildRecord, withLoaded } from './build-record.mjs';
import { licencesText, writeBom } from './licences.mjs';
import { PRODUCTS, programsOf, ROOT } from './products.mjs';

const about = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** A library's file, of a kind, as the build names it. */
const libraryFile = (entry, ending) => `dist/lib/api/${entry}${ending}`;

/** Files of the build that a product starts from. */
function entriesOf({ folder, library, port }, programs) {
  const workers = join(ROOT, 'src', folder, 'workers');
  const threads = existsSync(workers) ? readdirSync(workers).filter((name) => name.endsWith('.ts')) : [];
  return [
    'dist/dispatch.cjs',
    ...programs.map((name) => `dist/${name}.cjs`),
    ...threads.map((name) => `dist/workers/${name.replace('.ts', '.cjs')}`),
    ...Object.values(library).map((entry) => libraryFile(entry, '.js')),
    ...Object.values(port ?? {}),
  ];
}

/** Declarations of types that these entries need, and they themselves. */
function declarations(entries) {
  const all = new Set(entries.map((entry) => libraryFile(entry, '.d.ts')));
  for (const file of all)
    for (const [, path] of readFileSync(join(ROOT, file), 'utf8').matchAll(
      /(?:from|import)\s*\(?\s*'(\.[^']+)'/g,
    ))
      all.add(join(dirname(file), path).replace(/\.[jt]s$/, '.d.ts'));
  return [...all];
}

function packageJson(product, programs) {
  const { name, summary, library, pages, port, imports } = product;
  const { version, keywords, homepage, bugs, repository, license, type, engines } = about;
  const parts = Object.entries(library).map(([path, entry]) => [
    path,
    { types: `./${libraryFile(entry, '.d.ts')}`, default: `./${libraryFile(entry, '.js')}` },
  ]);
  const ports = Object.entries(port ?? {}).map(([path, file]) => [path, `./${file}`]);
  return {
    name,
    version,
    description: summary,
    keywords,
    homepage,
    bugs,
    repository,
    license,
    type,
    engines,
    exports: Object.fromEntries([...parts, ...ports]),
    imports: { '#vendor/*': './dist/vendor/*.cjs', ...imports },
    bin: Object.fromEntries(programs.map((program) => [program, `bin/${program}`])),
    man: [...(pages ?? []), ...programs.map((program) => `man/${program}.1`)],
    scripts: { 'keep-compiled': 'node scripts/keep-compiled.mjs' },
    ...(imports && {
      peerDependencies: { 'evenkeel-ledger': version },
      peerDependenciesMeta: { 'evenkeel-ledger': { optional: true } },
    }),
  };
}

/** Relative links of a page lead to the repository: a package has little of what they name. */
const withLinks = (text) =>
  text.replace(/\]\((?!\w+:|#)([^)]+)\)/g, `](${about.homepage.replace(/#.*/, '')}/blob/HEAD/$1)`);

/** Pages that those of all programs refer to. Only one package has npm link them: they would collide. */
const COMMON_PAGES = PRODUCTS.flatMap(({ pages = [] }) => pages);

const isOfProgram = (schema, program) => schema === `${program}.json` || schema.startsWith(`${program}-`);

/** Lays out a package. @param folder is made */
function stage(product, programs, record, folder) {
  const bring = (path) => cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  const put = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const files = withLoaded(record, entriesOf(product, programs));
  const types = declarations(Object.values(product.library));
  const schemas = readdirSync(join(ROOT, 'schemas')).filter((schema) =>
    programs.some((program) => isOfProgram(schema, program)),
  );
  for (const path of [
    ...files,
    ...types,
    'dist/vendor/package.json',
    'bin/package.json',
    'bin/launch',
    ...programs.flatMap((name) => [`bin/${name}`, `man/${name}.1`]),
    ...COMMON_PAGES,
    ...product.examples.map((name) => `testdata/${name}`),
    'scripts/keep-compiled.mjs',
    'LICENSE',
  ])
    bring(path);
  for (const page of ['CHANGELOG.md', 'README.md'])
    put(page, withLinks(readFileSync(join(ROOT, page), 'utf8')));
  // Programs read them: in one line each they are half as large.
  for (const path of schemas.map((name) => `schemas/${name}`))
    put(path, `${JSON.stringify(JSON.parse(readFileSync(join(ROOT, path), 'utf8')))}\n`);

  put('LICENSES.txt', licencesText(record, files));
  put('package.json', `${JSON.stringify(packageJson(product, programs), undefined, 2)}\n`);
  writeBom(record, files, folder);
}

/** In a place that is the same in all checkouts, as lists of components name places. */
const STAGES = join(ROOT, 'node_modules/.cache/evenkeel/packages');

/** Lays out all packages. @returns each product with its folder and the names of its programs */
export function stageAll() {
  rmSync(STAGES, { recursive: true, force: true });
  const record = buildRecord();
  return PRODUCTS.map((product) => {
    const [folder, programs] = [join(STAGES, product.name), programsOf(product)];
    stage(product, programs, record, folder);
    return { product, folder, programs };
  });
}
