/**
 * Whose work is in a package: the texts that licences want shown, and the list of components in the format
 * CycloneDX.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './products.mjs';

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Modules of others that went into these files. */
const foreignInputs = ({ outputs }, files) =>
  files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {})).filter((path) => PACKAGE.test(path));

export function licencesText(record, files) {
  const folders = foreignInputs(record, files).map((path) => PACKAGE.exec(path)[1]);
  const parts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(ROOT, folder)).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? readFileSync(join(ROOT, folder, file), 'utf8').trim() : `Licence: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** What stands for all modules of ours in a list of components: the package itself. */
const OURS = 'package.json';

/**
 * The record of these files as if they had been built in a package's folder: modules of others where they
 * are, ours as one.
 */
function movedRecord({ inputs, outputs }, files, folder) {
  const moved = (path) => (PACKAGE.test(path) ? relative(folder, join(ROOT, path)) : OURS);
  const movedImports = (imports) =>
    imports.filter(({ external }) => !external).map(({ path }) => ({ path: moved(path) }));
  const built = files.filter((file) => file in outputs);
  const all = { [OURS]: { bytes: 1, imports: [] } };
  for (const path of new Set(built.flatMap((file) => Object.keys(outputs[file].inputs)))) {
    const imports = [...(all[moved(path)]?.imports ?? []), ...movedImports(inputs[path].imports)];
    all[moved(path)] = { bytes: 1, imports };
  }
  const output = { bytes: 1, entryPoint: OURS, imports: [], exports: [] };
  const used = Object.fromEntries(Object.keys(all).map((path) => [path, { bytesInOutput: 1 }]));
  return { inputs: all, outputs: { dist: { ...output, inputs: used } } };
}

/** Writes bom.cdx.json of a package whose package.json is there. */
export function writeBom(record, files, folder) {
  const metafile = join(folder, 'metafile.json');
  writeFileSync(metafile, JSON.stringify(movedRecord(record, files, folder)));
  const tool = join(ROOT, 'node_modules/@cyclonedx/cyclonedx-esbuild/bin/cyclonedx-esbuild-cli.js');
  const words = [
    '--output-reproducible',
    '--mc-type=application',
    '--bwd',
    folder,
    '-o',
    join(folder, 'bom.cdx.json'),
  ];
  const { status, stderr } = spawnSync(process.execPath, [tool, ...words, metafile], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  rmSync(metafile);
}
