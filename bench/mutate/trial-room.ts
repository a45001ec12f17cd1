/** A copy of the project in which mistakes are tried, and the tests that are to find them. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const COPIED = [
  'src',
  'test',
  'bench',
  'testdata',
  'docs',
  'package.json',
  'tsconfig.json',
  '.mocharc.json',
  'README.md',
];
const LINKED = ['node_modules', 'dist', 'bin'];
/** Tests that look at everything the model and the planners do. */
const PROPERTIES = 'test/properties/*.test.ts';

/** Whether tests found a mistake. A run that takes far too long found it, too. */
export type TrialResult = 'found' | 'survived';

export class TrialRoom {
  private readonly folder = mkdtempSync(join(tmpdir(), 'evenkeel-mutate-'));
  private readonly timeoutMs: number;

  /** @param timeoutSeconds for the tests of one mutant */
  constructor(timeoutSeconds: number) {
    this.timeoutMs = timeoutSeconds * 1000;
    for (const name of COPIED)
      if (existsSync(name)) cpSync(name, join(this.folder, name), { recursive: true });
    for (const name of LINKED)
      if (existsSync(name)) symlinkSync(join(process.cwd(), name), join(this.folder, name));
  }

  /** Runs the tests with a file's text in place of its own, its mirror first; puts the file back. */
  try(path: string, source: string, original: string): TrialResult {
    writeFileSync(join(this.folder, path), source);
    try {
      return this.testsFor(path).some((tests) => !this.pass(tests)) ? 'found' : 'survived';
    } finally {
      writeFileSync(join(this.folder, path), original);
    }
  }

  /** The file's own test; those of its room; the properties; those of the rooms around it. */
  private testsFor(path: string): readonly string[] {
    const mirror = path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
    const room = dirname(mirror);
    const around = dirname(room);
    return [
      ...(this.has(mirror) ? [mirror] : []),
      ...(this.hasTests(room) ? [`${room}/**/*.test.ts`] : []),
      PROPERTIES,
      ...(around !== 'test' && this.hasTests(around) ? [`${around}/**/*.test.ts`] : []),
    ];
  }

  private has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  private hasTests(folder: string): boolean {
    if (!this.has(folder)) return false;
    const names = readdirSync(join(this.folder, folder), { recursive: true, encoding: 'utf8' });
    return names.some((name) => name.endsWith('.test.ts'));
  }

  private pass(tests: string): boolean {
    const { status } = spawnSync('npx', ['mocha', '--bail', '--reporter', 'dot', tests], {
      cwd: this.folder,
      stdio: 'ignore',
      timeout: this.timeoutMs,
      killSignal: 'SIGKILL',
    });
    return status === 0;
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}
