/** A copy of the project in which the source files have their mutants behind switches. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const COPIED = ['src', 'test', 'bench', 'testdata', 'docs', 'package.json', 'tsconfig.json', 'README.md'];
const LINKED = ['node_modules', 'dist', 'bin', 'schemas', 'man'];

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

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}
