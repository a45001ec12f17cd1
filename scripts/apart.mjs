/**
 * Parts that are each a file of their own in dist/apart, which a dynamic import reads. All that a program may
 * need stands in its file else, run or not. But hail reads its file for every request of Ganeti, so what is
 * large and what it seldom needs is apart; so is the ledger's side of `hbal --ledger`, since another
 * package brings it, and what reads files for `--config`, with YAML and the tables of all programs. What
 * writes shells' completion is seldom run, and all programs would have it.
 */
import { basename, join } from 'node:path';

/** Where the files lie, beside the programs. */
export const APART_FOLDER = 'apart';
/** Found by way of package.json, since it may be in another package. */
const PROMISES = 'src/ledger/claims/cluster/promises.ts';
export const APART = [
  PROMISES,
  'src/kit/cli/help/shell-completion.ts',
  'src/htools/planners/answer/elsewhere.ts',
  'src/htools/programs/hail/deep-search.ts',
  'src/htools/programs/shared/config/config-words.ts',
];

export const apartName = (path) => basename(path, '.ts');

/** Has dynamic imports of these parts read the files. */
export const keepApart = (root) => ({
  name: 'apart',
  setup({ onResolve }) {
    const placeOf = (path) => (path === PROMISES ? '#promises' : `./${APART_FOLDER}/${apartName(path)}.cjs`);
    const files = new Map(APART.map((path) => [join(root, path), placeOf(path)]));
    onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
      const place = kind === 'dynamic-import' ? files.get(join(resolveDir, path)) : undefined;
      return place && { path: place, external: true };
    });
  },
});
