/** The units by which systemd runs programs by the clock, and the file of their options. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { configWords } from '../../src/htools/programs/shared/config/config-words.ts';
import { newFolder } from '../builders/folder.ts';
import { ROOT, runBuilt } from './run-built.ts';

const FOLDER = `${ROOT}/scripts/packages/night`;
const CONFIG = `${FOLDER}/cluster.yaml`;
const text = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const { words } = configWords(text('cluster.yaml'));

describe('runs by the clock', () => {
  it('are those of the programs that the file of options has a section for', () => {
    const timers = readdirSync(FOLDER).flatMap((name) => /^evenkeel@(.*)\.timer$/.exec(name)?.[1] ?? []);
    expect(timers.sort()).to.deep.equal(Object.keys(words).sort());
    for (const name of timers) expect(text(`evenkeel@${name}.timer`)).to.match(/^WantedBy=timers\.target$/m);
  });

  it('begin with a file in which nothing is wrong, and which does nothing to the cluster', () => {
    expect(runBuilt(`hbal --check-config=${CONFIG}`).stderr).to.equal('');
    expect(words.hbal).to.include.members(['--exec', '--dry-run', '--calm']);
    for (const name of ['hcheck', 'hcompress']) expect(words[name]).to.not.include('--exec');
  });

  it('begin with a file that is right with the lines that it has as comments, too', () => {
    const whole = text('cluster.yaml').replaceAll(/^( +)#(?=[a-z-]+: )/gm, '$1');
    expect(configWords(whole).problems).to.deep.equal([]);
    expect(configWords(whole).words.hcheck).to.include('--format=prometheus');
  });

  it('take the journal where the programs look for it, and are kept from all that they do not need', () => {
    const lines = text('evenkeel@.service').split('\n');
    expect(lines).to.include.members([
      'ExecStart=/usr/bin/%i --config',
      'StateDirectory=evenkeel',
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'OnFailure=evenkeel-mail@%i.service',
    ]);
  });

  it('are what systemd takes', function () {
    const folder = newFolder();
    cpSync(FOLDER, folder, { recursive: true });
    const units = readdirSync(folder).filter((name) => /\.(timer|service)$/.test(name));
    const { stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });
    if (error) return this.skip();
    const complaints = stderr.split('\n').filter((one) => one.includes('evenkeel'));
    expect(complaints.filter((one) => !/is not executable|No such file/.test(one))).to.deep.equal([]);
  });
});
