/**
 * Parts of hail that it seldom needs and that are large: each a file of its own in dist/apart, which the
 * dynamic import in hail's own file reads. All that a program may need stands in its file else, run or not;
 * but hail reads its file for every request of Ganeti.
 */
import { basename, join } from 'node:path';

/** Where the files lie, beside the programs. */
export const APART_FOLDER = 'apart';
export const APART = ['src/htools/planners/answer/elsewhere.ts', 'src/htools/programs/hail/deep-search.ts'];

export const apartName = (path) => basename(path, '.ts');

/** Has dynamic imports of these parts read the files. */
export const keepApart = (root) => ({
  name: 'apart',
  setup({ onResolve }) {
    const files = new Map(APART.map((path) => [join(root, path), apartName(path)]));
    onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
      const name = kind === 'dynamic-import' ? files.get(join(resolveDir, path)) : undefined;
      return name && { path: `./${APART_FOLDER}/${name}.cjs`, external: true };
    });
  },
});
