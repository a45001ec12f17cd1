import { expect } from 'chai';
import { FLOORS, IO_FOLDERS, isWithin, LIBRARY_FOLDERS, NEIGHBOURS, PORTS, VIEWS } from './floor-plan.ts';
import { findCircle, readImports, readSources, roomOf, type SourceFile } from './source-graph.ts';

const OUTSIDE_WORLD =
  /^(node:)?(fs|net|tls|dgram|dns|http|https|http2|child_process|process|readline|timers)(\/|$)/;
const OUTSIDE_NAMES = ['process', 'console', 'Date', 'Math.random', 'performance', 'fetch', 'globalThis'];

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));
const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isWithin(path, folder));
/** `@scope/name` is one package. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** About what a reader of `ls` remembers. */
const MOST_FILES = 15;

describe('the layout of src/', () => {
  let sources: readonly SourceFile[];
  let paths: ReadonlySet<string>;

  /** All arrows between two of our own files. */
  const arrows = (): readonly {
    readonly from: SourceFile;
    readonly to: string;
    readonly isLazy: boolean;
  }[] =>
    sources.flatMap((from) =>
      from.imports
        .filter(({ target }) => paths.has(target))
        .map(({ target, isLazy }) => ({ from, to: target, isLazy })),
    );
  const isPort = ({ from, to, isLazy }: ReturnType<typeof arrows>[number]): boolean =>
    isLazy && PORTS[from.path]?.includes(roomOf(to)) === true;

  before(() => {
    sources = readSources();
    paths = new Set(sources.map(({ path }) => path));
  });

  it('has only rooms that stand in the floor plan, and has all of those', () => {
    const rooms = new Set(sources.map(({ room }) => room));
    expect([...rooms].filter((room) => floorOf(room) < 0)).to.deep.equal([]);
    expect(FLOORS.flat().filter((room) => !rooms.has(room))).to.deep.equal([]);
  });

  it('has no import that points upwards, or to a neighbour that is not named', () => {
    const forbidden = arrows().filter((arrow) => {
      const { from, to } = arrow;
      const room = roomOf(to);
      if (room === from.room || isPort(arrow)) return false;
      const rise = floorOf(room) - floorOf(from.room);
      return rise > 0 || (rise === 0 && !NEIGHBOURS[from.room]?.includes(room));
    });
    expect(forbidden.map(({ from, to }) => `${from.path} -> ${to}`)).to.deep.equal([]);
  });

  it('names no port that nobody needs', () => {
    const used = new Set(
      arrows()
        .filter(isPort)
        .map(({ from, to }) => `${from.path} -> ${roomOf(to)}`),
    );
    const named = Object.entries(PORTS).flatMap(([path, rooms]) => rooms.map((room) => `${path} -> ${room}`));
    expect(named.filter((port) => !used.has(port))).to.deep.equal([]);
  });

  it('names no arrow between neighbours that nobody needs', () => {
    const used = new Set(arrows().map(({ from, to }) => `${from.room} -> ${roomOf(to)}`));
    // What programs share is for all of them.
    const needed = (room: string): boolean => !room.includes('/programs/shared/');
    const unused = Object.entries(NEIGHBOURS).flatMap(([room, neighbours]) =>
      neighbours
        .filter(needed)
        .map((neighbour) => `${room} -> ${neighbour}`)
        .filter((arrow) => !used.has(arrow)),
    );
    expect(unused).to.deep.equal([]);
  });

  it('keeps the view of those who are to see less', () => {
    const strays = arrows().filter(
      (arrow) =>
        !isPort(arrow) &&
        Object.entries(VIEWS).some(
          ([folder, seen]) => isWithin(arrow.from.path, folder) && !isIn(arrow.to, seen),
        ),
    );
    expect(strays.map(({ from, to }) => `${from.path} -> ${to}`)).to.deep.equal([]);
  });

  it('has no more files side by side than one can take in', () => {
    const count = new Map<string, number>();
    for (const { room } of sources) count.set(room, (count.get(room) ?? 0) + 1);
    expect([...count].filter(([, files]) => files > MOST_FILES)).to.deep.equal([]);
  });

  for (const top of ['src', 'bench', 'test'])
    it(`has no circle of files in ${top}/`, () => {
      const read = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
      expect(findCircle(top === 'src' ? read : readImports(top)) ?? []).to.deep.equal([]);
    });

  it('has no circle of rooms', () => {
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of arrows())
      if (roomOf(to) !== from.room) graph.set(from.room, (graph.get(from.room) ?? new Set()).add(roomOf(to)));
    expect(findCircle(graph) ?? []).to.deep.equal([]);
  });

  it('keeps the outside world to the rooms that are for it', () => {
    const trespasses = sources
      .filter(({ path }) => !isIn(path, IO_FOLDERS))
      .flatMap(({ path, imports, names }) => [
        ...imports
          .filter(({ target }) => OUTSIDE_WORLD.test(target))
          .map(({ target }) => `${path}: ${target}`),
        ...OUTSIDE_NAMES.filter((name) => names.has(name)).map((name) => `${path}: ${name}`),
      ]);
    expect(trespasses).to.deep.equal([]);
  });

  it('keeps each library in its room', () => {
    const strays = sources.flatMap(({ path, imports }) =>
      imports
        .map(({ target }) => target)
        .filter((target) => !paths.has(target) && !isIn(path, LIBRARY_FOLDERS[packageOf(target)] ?? [path]))
        .map((target) => `${path}: ${target}`),
    );
    expect(strays).to.deep.equal([]);
  });

  it('imports our own files by their full names, and built-in modules with node: in front', () => {
    const unknown = sources.flatMap(({ path, imports }) =>
      imports
        .map(({ target }) => target)
        .filter(
          (target) =>
            !paths.has(target) && !target.startsWith('node:') && !(packageOf(target) in LIBRARY_FOLDERS),
        )
        .map((target) => `${path}: ${target}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('starts hail without yargs, guesses at words, tables, colours, threads or the large form of zod', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      for (const { target, isTypeOnly, isLazy } of byPath.get(path)?.imports ?? [])
        if (!isTypeOnly && !isLazy) load(target);
    };
    load('kit/cli/run.ts');
    load('htools/programs/hail/main.ts');
    expect([...loaded]).to.include('kit/cli/parse/parse.ts');
    // Each is compiled, or read back, before the request is looked at.
    expect([...loaded].filter((path) => byPath.has(path)).length).to.be.below(120);
    const heavy = [
      'yargs',
      'fastest-levenshtein',
      'chalk',
      'piscina',
      'zod',
      'node:worker_threads',
      'node:https',
      'node:http',
    ];
    expect(heavy.filter((name) => loaded.has(name))).to.deep.equal([]);
  });
});

describe('the search for circles', () => {
  it('finds a circle behind a trail that leads into it', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    expect(findCircle(graph)).to.deep.equal(['b', 'd', 'b']);
  });

  it('does not take two ways to the same file for a circle', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
    ]);
    expect(findCircle(graph) ?? []).to.deep.equal([]);
  });
});
