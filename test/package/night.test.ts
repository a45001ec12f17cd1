/** Where the units of the night begin a run: on the master node, whatever else does not work. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newFolder } from '../builders/folder.ts';

const UNIT = fileURLToPath(new URL('../../scripts/packages/night/evenkeel@.service', import.meta.url));

describe('a run by the clock', () => {
  /** The condition of the unit as its shell gets it. */
  const condition = /^ExecCondition=\/bin\/sh -c '(.*)'$/m
    .exec(readFileSync(UNIT, 'utf8'))![1]!
    .replaceAll('$$', '$')
    .replaceAll('%%', '%');
  const folder = newFolder();

  /** @param full what `hostname --fqdn` says; undefined = nobody knows */
  function isBegun(master: string, short: string, full: string | undefined): boolean {
    const program = (name: string, text: string): void => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, name), 0o755);
    };
    const says = full === undefined ? 'echo unknown >&2; exit 1' : `echo ${full}`;
    program('hostname', `if [ "$1" = --fqdn ]; then ${says}; else echo ${short}; fi`);
    program('cat', master === '' ? 'exit 1' : `echo ${master}`);
    return spawnSync('/bin/sh', ['-c', condition], { env: { PATH: folder } }).status === 0;
  }

  it('is begun on the master node alone', () => {
    expect(isBegun('node1.example.com', 'node1', 'node1.example.com')).to.equal(true);
    expect(isBegun('node2.example.com', 'node1', 'node1.example.com')).to.equal(false);
    expect(isBegun('node1.example.com', 'node1', 'node1.example.org')).to.equal(false);
    expect(isBegun('', 'node1', 'node1.example.com')).to.equal(false);
  });

  it('is begun there also where no name service answers', () => {
    expect(isBegun('node1.example.com', 'node1', undefined)).to.equal(true);
    expect(isBegun('node1.example.com', 'node1.example.com', undefined)).to.equal(true);
    expect(isBegun('node2.example.com', 'node1', undefined)).to.equal(false);
    expect(isBegun('', 'node1', undefined)).to.equal(false);
  });
});
