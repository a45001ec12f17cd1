import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { roleOf, unknownRoleText } from '../../src/suite/dispatch.ts';
import { PROGRAM_NAMES } from '../../src/suite/programs.ts';
import { newFolder } from '../builders/folder.ts';
import { inLongRun } from '../builders/seeds.ts';

const BIN = fileURLToPath(new URL('../../bin', import.meta.url));

describe('the role of a launcher', () => {
  it('is the program whose name it is called by', () => {
    expect(roleOf({ htools: undefined, path: '/usr/bin/hinfo', launcher: 'hbal' })).to.deep.equal({
      role: 'hinfo',
    });
  });

  it('is its own when the name says nothing', () => {
    expect(roleOf({ htools: undefined, path: '/opt/my-balancer', launcher: 'hbal' })).to.deep.equal({
      role: 'hbal',
    });
  });

  it('is what HTOOLS says, in any case of letters, whatever the name', () => {
    expect(roleOf({ htools: 'HCHECK', path: '/usr/bin/hinfo', launcher: 'hbal' })).to.deep.equal({
      role: 'hcheck',
    });
  });

  it('does not exist when HTOOLS names no program, or is empty', () => {
    expect(roleOf({ htools: 'foo', path: '/usr/bin/hinfo', launcher: 'hbal' })).to.deep.equal({
      unknown: 'foo',
    });
    expect(roleOf({ htools: '', path: '/usr/bin/hinfo', launcher: 'hbal' })).to.deep.equal({ unknown: '' });
  });

  it('is explained by a list of all programs', () => {
    const text = unknownRoleText('foo');
    expect(text).to.match(/^Unrecognised personality 'foo'\.\n/);
    for (const program of PROGRAM_NAMES) expect(text).to.include(` ${program} `);
  });
});

describe('a launcher', () => {
  const folder = newFolder();

  const run = (path: string, env: Record<string, string> = {}) =>
    spawnSync(path, ['--version'], { cwd: '/', encoding: 'utf8', env: { ...process.env, ...env } });

  for (const program of PROGRAM_NAMES)
    it(`starts ${program} from any folder, also through links`, function () {
      if (!existsSync(join(BIN, `../dist/${program}.cjs`))) this.skip();
      const link = join(folder, `${program}-link`);
      symlinkSync(join(BIN, program), link);
      const linkToLink = join(folder, `${program}-of-today`);
      symlinkSync(link, linkToLink);
      expect(run(linkToLink).stdout).to.match(new RegExp(`^${program} \\(evenkeel\\)`));
    });

  for (const program of ['hinfo', ...inLongRun(...PROGRAM_NAMES)])
    it(`is the program that a link to it is called by: ${program}`, () => {
      const link = join(mkdtempSync(join(folder, 'links-')), program);
      symlinkSync(join(BIN, 'hbal'), link);
      expect(run(link).stdout).to.match(new RegExp(`^${program} \\(evenkeel\\)`));
    });

  it('loads what it needs only for help, without a remark', function () {
    if (!existsSync(join(BIN, '../dist/hbal.cjs'))) this.skip();
    const { status, stdout, stderr } = spawnSync(join(BIN, 'hbal'), ['--help'], {
      cwd: '/',
      encoding: 'utf8',
    });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout).to.match(/^Usage: hbal/);
  });

  it('says how to build the programs when they are not built', () => {
    const place = join(realpathSync(folder), 'unbuilt');
    cpSync(BIN, join(place, 'bin'), { recursive: true });
    const { status, stdout, stderr } = run(join(place, 'bin/hbal'));
    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(stderr).to.equal(
      `Error: this program is not built: there is no dispatch.cjs in ${place}/dist\n` +
        `Maybe run \`npm ci\`, or \`npm run build\`, in ${place}\n`,
    );
  });

  it('lists the programs and fails when HTOOLS names none', () => {
    const { status, stdout, stderr } = run(join(BIN, 'hbal'), { HTOOLS: 'foo' });
    expect({ status, stdout, stderr }).to.deep.equal({
      status: 1,
      stdout: '',
      stderr: unknownRoleText('foo'),
    });
  });
});
