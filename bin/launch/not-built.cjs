/** What launchers say in place of Node's trace when dist/ is missing, or holds no such program. */
const { relative, resolve } = require('node:path');

const DIST = resolve(__dirname, '../../dist');
const MISSING = ['MODULE_NOT_FOUND', 'ENOENT'];
const EXIT_NOT_BUILT = 1;

/** The file of dist/ that an error says is missing; undefined for all other errors. */
function missingFile({ code, path, message }) {
  if (!MISSING.includes(code)) return undefined;
  const file = path ?? /'(.*)'/.exec(message)?.[1] ?? '';
  const inDist = relative(DIST, resolve(__dirname, '..', file));
  return inDist.startsWith('..') ? undefined : inDist;
}

module.exports = function reportNotBuilt(error) {
  const file = missingFile(error);
  if (file === undefined) throw error;
  process.stderr.write(
    `Error: this program is not built: there is no ${file} in ${DIST}\n` +
      `Maybe run \`npm ci\`, or \`npm run build\`, in ${resolve(DIST, '..')}\n`,
  );
  process.exitCode = EXIT_NOT_BUILT;
};
