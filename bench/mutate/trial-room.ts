/** A copy of the project in which the source files have their mutants behind switches. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDERS = ['src', 'test', 'bench', 'testdata', 'docs', 'scripts', 'bin'];
const COPIED = [...FOLDERS, 'package.json', 'package-lock.json', 'tsconfig.json', 'README.md'];
const LINKED = ['node_modules', 'schemas', 'man'];

export class TrialRoom {
  readonly folder = mkdtempSync(join(tmpdir(), 'evenkeel-mutate-'));

  constructor() {
    for (const name of COPIED)
      if (existsSync(name)) cpSync(name, join(this.folder, name), { recursive: true });
    for (const name of LINKED)
      if (existsSync(name)) symlinkSync(join(process.cwd(), name), join(this.folder, name));
  }

  put(path: string, source: string): void {
    writeFileSync(join(this.folder, path), source);
  }

  /** Builds the programs with what was put here, for tests that run them. */
  build(): void {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', '--programs'], {
      cwd: this.folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`programs with switches cannot be built: ${stderr}`);
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}
