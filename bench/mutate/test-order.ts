/** The tests that may find mistakes in a set of source files, the likeliest and cheapest first. */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ImportGraph } from './import-graph.ts';

export interface TestFile {
  readonly path: string;
  /** The source files that it sees. */
  readonly sees: ReadonlySet<string>;
}

export const mirrorOf = (path: string): string =>
  path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');

/** Tests that look at everything the model and the planners do. */
const PROPERTIES = 'test/htools/properties';

/** Further away than any import. */
const LAUNCHED = 1000;

/** 0: a file's own test; 1: of its room, and the properties; then as many as there are imports in between. */
function nearness(test: string, distances: ReadonlyMap<string, number>, source: string): number {
  if (test === mirrorOf(source)) return 0;
  if ([dirname(mirrorOf(source)), PROPERTIES].includes(dirname(test))) return 1;
  return 1 + (distances.get(source) ?? LAUNCHED);
}

const testFiles = (): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .sort();

/**
 * @param sources with the mistakes; tests that see none of them are left out. Those that launch programs may
 *   see all
 */
export function testOrder(sources: readonly string[]): readonly TestFile[] {
  const graph = new ImportGraph();
  return testFiles()
    .map((path) => {
      const distances = graph.distances(path);
      const seen = graph.launches(path) ? sources : sources.filter((source) => distances.has(source));
      const near = Math.min(...seen.map((source) => nearness(path, distances, source)));
      // The tests of the switches would switch off what is tried.
      const isSwitching = distances.has('bench/mutate/switch.ts');
      return { path, sees: new Set(seen), near, size: distances.size, isSwitching };
    })
    .filter(({ sees, isSwitching }) => sees.size > 0 && !isSwitching)
    .sort((a, b) => a.near - b.near || a.size - b.size);
}
