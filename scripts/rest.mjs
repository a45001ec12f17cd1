/**
 * Keeps out of a program's file what an ordinary run does not need: all that only a dynamic import leads to
 * is a second file, PROGRAM-rest.cjs, which is read when the first such import is reached. Node reads a file
 * at each start whatever is run of it, and V8 keeps a record of each function. Unlike in dist/apart no module
 * is in both files: the second is lent what it needs of the first's.
 */
import { relative } from 'node:path';

/**
 * Programs that are started so often that it counts, or whose file would be large: what ordinary runs import
 * so.
 */
const SPLIT = {
  hail: ['src/htools/sources/iallocator/iallocator.ts', 'src/htools/planners/answer/judged.ts'],
  hbal: ['src/htools/sources/text/text.ts'],
};

export const isSplit = (program) => program in SPLIT;

export const restFile = (program) => `dist/${program}-rest.cjs`;

/** As one file's code asks for a module of the other. */
const idIn = (file, path) => `./${file}?${path}`;

/**
 * What stands around both files: `lent` is filled by the program, and handed to the rest as `require` of what
 * is not its own. Its values are as functions there, which take less room than properties that are worked
 * out, as which the rest has them.
 */
export const withRest = (program) =>
  `var lent={};require=((node)=>{let rest;return(id)=>id.startsWith("./${program}-rest.cjs?")?` +
  `(rest??=node("./${program}-rest.cjs")(lent.parts()))[id.slice(${`./${program}-rest.cjs?`.length})]():node(id)})(require);`;
export const asRest = (program, contents) =>
  `module.exports=(lent)=>{const node=require;return((require,module)=>{let exports=module.exports;${contents}\n` +
  `return module.exports})((id)=>id.startsWith("./${program}.cjs?")?take(lent[id.slice(${`./${program}.cjs?`.length})]):node(id),{exports:{}})};` +
  'const take=(part)=>typeof part==="function"?part():Object.defineProperties({},Object.fromEntries(Object.entries(part).map(([name,get])=>[name,{get}])));';

/**
 * @returns the modules of a program's file, and those that it asks of the rest, by the record of a build that
 *   has all in one
 */
export function parted(program, { inputs }) {
  const own = new Set(['<stdin>']);
  const asked = new Set();
  for (const path of own)
    for (const { path: imported, kind, external } of inputs[path]?.imports ?? [])
      if (!external)
        (kind !== 'dynamic-import' || SPLIT[program].includes(imported) ? own : asked).add(imported);
  // What stands in for a module that is left out is no file, and stays where it is asked for.
  return { own, asked: [...asked].filter((path) => !own.has(path) && !path.includes(':')).sort() };
}

const ASKED = Symbol('asked');

/** A plugin that has imports for which `idOf` knows a file be read from there. */
const elsewhere = (root, idOf) => ({
  name: 'elsewhere',
  setup(build) {
    build.onResolve({ filter: /./ }, async ({ path, kind, pluginData, ...from }) => {
      if (pluginData === ASKED || kind === 'entry-point') return undefined;
      const found = await build.resolve(path, { ...from, kind, pluginData: ASKED });
      if (found.external || found.namespace !== 'file') return found;
      const id = idOf(relative(root, found.path), kind);
      return id === undefined ? found : { path: id, external: true };
    });
  },
});

/** For the program's file. */
export const fromRest = (root, program, own) =>
  elsewhere(root, (path, kind) =>
    kind !== 'dynamic-import' || own.has(path) ? undefined : idIn(`${program}-rest.cjs`, path),
  );

/** For the rest. */
export const fromProgram = (root, program, own) =>
  elsewhere(root, (path) => (own.has(path) ? idIn(`${program}.cjs`, path) : undefined));

/** The rest's entry: its modules by their paths, each run when it is asked for. */
export const restEntry = (paths) =>
  `module.exports = {${paths.map((path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${path}`)})`).join()}};`;

/**
 * Source text that lends the rest what it asks for: names of modules, each with the value that it has by
 * then, or modules as a whole.
 * @param contents the rest, bundled
 */
export function lending(program, contents) {
  const asked = new RegExp(
    `(?:(\\bimport_\\w+)=)?[\\w$(]*\\brequire\\("\\./${program}\\.cjs\\?([^"]+)"\\)`,
    'g',
  );
  const found = new Map();
  for (const [, variable, path] of contents.matchAll(asked)) {
    const names = found.get(path) ?? new Set();
    found.set(path, names);
    if (variable === undefined) names.add('*');
    else
      for (const [, name] of contents.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))) names.add(name);
  }
  const imports = [];
  const parts = [];
  for (const [path, names] of found) {
    const at = imports.length;
    const [list, part] = names.has('*')
      ? [`* as lent${at}`, `() => lent${at}`]
      : [
          `{${[...names].map((name) => `${name} as lent${at}_${name}`)}}`,
          `{${[...names].map((name) => `${name}: () => lent${at}_${name}`)}}`,
        ];
    imports.push(`import ${list} from './${path}';`);
    parts.push(`${JSON.stringify(path)}: ${part}`);
  }
  return `${imports.join('\n')}\nlent.parts = () => ({${parts.join(',\n')}});\n`;
}
