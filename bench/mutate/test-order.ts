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

/** 0: a file's own test; 1: of its room, and the properties; then as many as there are imports in between. */
function nearness(test: string, distances: ReadonlyMap<string, number>, source: string): number {
  if (test === mirrorOf(source)) return 0;
  if ([dirname(mirrorOf(source)), PROPERTIES].includes(dirname(test))) return 1;
  return 1 + distances.get(source)!;
}

const testFiles = (): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .sort();

/**
 * @param sources with the mistakes; tests that see none of them are left out, as are those that launch
 *   programs
 */
export function testOrder(sources: readonly string[]): readonly TestFile[] {
  const graph = new ImportGraph();
  return testFiles()
    .filter((path) => !graph.launches(path))
    .map((path) => {
      const distances = graph.distances(path);
      const seen = sources.filter((source) => distances.has(source));
      const near = Math.min(...seen.map((source) => nearness(path, distances, source)));
      return { path, sees: new Set(seen), near, size: distances.size };
    })
    .filter(({ sees }) => sees.size > 0)
    .sort((a, b) => a.near - b.near || a.size - b.size);
}
