/** What the README shows is what happens. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import { ROOT, runBuilt } from '../suite/run-built.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Code blocks of a language, in order. */
const blocks = (language: string): string[] =>
  [...README.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map((match) => match[1]!);

const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });

describe('the README', () => {
  it('shows what its first command prints', () => {
    const [, command] = /&& (bin\/hbal .*)$/m.exec(blocks('sh')[0]!)!;
    const { stdout, status } = runBuilt(command!.replace('bin/', ''));
    expect(status).to.equal(0);
    const plain = (text: string): string => text.replace(/[ \t]+$/gm, '');
    expect(plain(stdout)).to.satisfy((text: string) => text.startsWith(plain(blocks('text')[0]!)));
  });

  it('tests with the command that it names', () => {
    expect(blocks('sh')[1]).to.equal('npm ci && npm test\n');
  });

  it('has a library example that runs', () => {
    const folder = mkdtempSync(join(ROOT, 'dist', 'readme-'));
    try {
      const file = join(folder, 'example.mjs');
      buildSync({
        stdin: { contents: blocks('js')[0]!, resolveDir: ROOT },
        alias: { evenkeel: join(ROOT, 'src/api/index.ts') },
        bundle: true,
        platform: 'node',
        format: 'esm',
        packages: 'external',
        outfile: file,
      });
      const { stdout, stderr, status } = run(process.execPath, [file]);
      expect(stderr).to.equal('');
      expect(status).to.equal(0);
      expect(stdout).to.equal('web2 -> node4 6.92\ndb1 -> node4 4.08\nmail -> node2 3.29\n0 faults\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('links to files that exist', () => {
    const links = [...README.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1]!);
    for (const link of links) expect(() => readFileSync(join(ROOT, link)), link).to.not.throw(/ENOENT/);
  });
});
