import { expect } from 'chai';
import { findCircle, readSources, type SourceFile } from './source-graph.ts';

/** Rooms of src/ by floor, from the ground up: an import goes to the same or a lower floor. */
const FLOORS: readonly (readonly string[])[] = [
  ['cluster'],
  ['score', 'rules'],
  ['moves', 'redundancy'],
  ['balance', 'allocate', 'evacuate'],
  ['groups', 'maintain', 'plan'],
  ['snapshot', 'ganeti', 'report', 'cli', 'workers'],
  ['programs', 'index.ts'],
];

const IO_ROOMS: ReadonlySet<string> = new Set(['snapshot', 'ganeti', 'report', 'cli', 'workers', 'programs']);

const OUTSIDE_WORLD =
  /^(node:)?(fs|net|tls|dgram|dns|http|https|http2|child_process|process|readline|timers)(\/|$)/;
const OUTSIDE_NAMES = ['process', 'console', 'Date', 'Math.random', 'performance', 'fetch', 'globalThis'];

/** Libraries that one room keeps to itself, so that the others need not load them. */
const LIBRARY_ROOMS: Readonly<Record<string, readonly string[]>> = {
  zod: ['snapshot'],
  yargs: ['cli'],
  chalk: ['report'],
  piscina: ['balance', 'workers', 'programs'],
};

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));
const roomOf = (path: string): string => path.split('/')[0]!;
const packageOf = (specifier: string): string => specifier.split('/')[0]!;

describe('the layout of src/', () => {
  let sources: readonly SourceFile[];
  let paths: ReadonlySet<string>;

  /** All arrows between two of our own files. */
  const arrows = (): readonly { readonly from: SourceFile; readonly to: string }[] =>
    sources.flatMap((from) =>
      from.imports.filter(({ target }) => paths.has(target)).map(({ target }) => ({ from, to: target })),
    );

  before(() => {
    sources = readSources();
    paths = new Set(sources.map(({ path }) => path));
  });

  it('has only rooms that stand on a floor', () => {
    expect(sources.filter(({ room }) => floorOf(room) < 0).map(({ path }) => path)).to.deep.equal([]);
    expect(sources).to.have.length.above(10);
  });

  it('has no import that points upwards', () => {
    const upward = arrows().filter(({ from, to }) => floorOf(roomOf(to)) > floorOf(from.room));
    expect(upward.map(({ from, to }) => `${from.path} -> ${to}`)).to.deep.equal([]);
  });

  it('has no circle of files', () => {
    const graph = new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.map(({ target }) => target).filter((target) => paths.has(target)),
      ]),
    );
    expect(findCircle(graph) ?? []).to.deep.equal([]);
  });

  it('has no circle of rooms', () => {
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of arrows())
      if (roomOf(to) !== from.room) graph.set(from.room, (graph.get(from.room) ?? new Set()).add(roomOf(to)));
    expect(findCircle(graph) ?? []).to.deep.equal([]);
  });

  it('keeps the outside world to the rooms that are for it', () => {
    const trespasses = sources
      .filter(({ room }) => !IO_ROOMS.has(room))
      .flatMap(({ path, imports, names }) => [
        ...imports
          .filter(({ target }) => OUTSIDE_WORLD.test(target))
          .map(({ target }) => `${path}: ${target}`),
        ...OUTSIDE_NAMES.filter((name) => names.has(name)).map((name) => `${path}: ${name}`),
      ]);
    expect(trespasses).to.deep.equal([]);
  });

  it('keeps each library in its room', () => {
    const strays = sources.flatMap(({ path, room, imports }) =>
      imports
        .map(({ target }) => target)
        .filter((target) => !paths.has(target) && !(LIBRARY_ROOMS[packageOf(target)]?.includes(room) ?? true))
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
            !paths.has(target) && !target.startsWith('node:') && !(packageOf(target) in LIBRARY_ROOMS),
        )
        .map((target) => `${path}: ${target}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('starts hail without yargs, tables, colours, threads or the large form of zod', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      for (const { target, isTypeOnly, isLazy } of byPath.get(path)?.imports ?? [])
        if (!isTypeOnly && !isLazy) load(target);
    };
    load('cli/run.ts');
    load('programs/hail.ts');
    expect([...loaded]).to.include('cli/parse.ts');
    const heavy = ['yargs', 'chalk', 'piscina', 'zod', 'node:worker_threads', 'node:https', 'node:http'];
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
