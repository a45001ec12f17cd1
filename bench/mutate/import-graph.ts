/**
 * Which tests see which source files: found by their imports, so that tests far away from a mistake are run
 * last, or not at all.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+\.ts)'/g;
const LAUNCHES = "'node:child_process'";
/** What it launches is not ours. */
const DATABASE = 'test/ledger/store/postgres-server.ts';

export class ImportGraph {
  private readonly imports = new Map<string, readonly string[]>();
  private readonly launchers = new Set<string>();

  /**
   * @param path from the project's folder;
   * @returns how many imports away each file is that it sees, itself 0
   */
  distances(path: string): ReadonlyMap<string, number> {
    const found = new Map([[path, 0]]);
    for (const [file, distance] of found)
      for (const next of this.importsOf(file)) if (!found.has(next)) found.set(next, distance + 1);
    return found;
  }

  /** Whether a test, or what it takes from test/ and bench/, launches processes: any of our programs. */
  launches(test: string): boolean {
    return [...this.distances(test).keys()].some(
      (path) => !path.startsWith('src/') && this.launchers.has(path),
    );
  }

  private importsOf(path: string): readonly string[] {
    const known = this.imports.get(path);
    if (known !== undefined) return known;
    const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (source.includes(LAUNCHES) && path !== DATABASE) this.launchers.add(path);
    const imports = [...source.matchAll(IMPORT)].map(([, name]) => join(dirname(path), name!));
    this.imports.set(path, imports);
    return imports;
  }
}
