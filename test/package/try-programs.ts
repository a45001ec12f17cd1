/**
 * Every program of some packages, run with work that loads what is loaded late: help, SQLite, HiGHS, the HTTP
 * server, threads.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';

/**
 * What is run: a program's words, and what it has to say. %D = the examples of evenkeel, %L = a new ledger,
 * %S = the example of evenkeel-disk.
 */
const WORKS: readonly (readonly [words: string, says: RegExp])[] = [
  ['hail %D/small-allocate.json', /"success":true/],
  ['hbal -t %D/small.data -C', /Solution length=5/],
  ['hbal -t %D/small.data --jobs=2', /Solution length=5/],
  ['hbal -t %D/small.data --bound', /Lower bound: no/],
  ['hcheck -t %D/small.data', /Cluster needs rebalancing/],
  ['hcompress -t %D/super.data', /rack-d last_resort/],
  ['hinfo -t %D/super.data --groups', /Health/],
  ['hredist -t %D/super.data', /Loaded 14 nodes/],
  ['hroller -t %D/small.data -f', /Node Reboot Groups/],
  ['hspace -t %D/small.data', /instances allocated/],
  ['hspread -t %D/super.data', /Loaded 14 nodes/],
  ['hclaim --db %L init', /is ready/],
  ['hbal -t %D/small.data --ledger %L', /Solution length=5/],
  ['hdisk -s %S/disks/storage-node.yaml -H %S/disks/rack/node1.yaml', /sda +120000/],
];

export interface Places {
  readonly '%D': string;
  readonly '%L': string;
  readonly '%S': string;
}

/** @param command the file and first words by which a program is run */
export function tryPrograms(
  names: readonly string[],
  places: Places,
  command: (program: string) => readonly [string, ...string[]],
): void {
  const run = (program: string, ...words: string[]) => {
    const [file, ...first] = command(program);
    return spawnSync(file, [...first, ...words], { encoding: 'utf8' });
  };
  for (const name of names) {
    const { status, stdout, stderr } = run(name, '--version');
    expect(status, `${name}: ${stderr}`).to.equal(0);
    expect(stdout).to.match(new RegExp(`^${name} \\(evenkeel\\)`));
    expect(run(name, '--help').stdout).to.include('Usage:');
  }
  for (const [line, says] of WORKS) {
    const placed = Object.entries(places).reduce((text, [sign, place]) => text.replaceAll(sign, place), line);
    const [program, ...words] = placed.split(' ');
    const { stdout, stderr } = run(program!, ...words);
    expect(stdout, `${placed}: ${stderr}`).to.match(says);
    // Nor has this Node anything to say.
    expect(stderr, placed).not.to.match(/^Error/m);
  }
}

/** The server of a ledger comes up. */
export async function tryServer(
  ledger: string,
  [file, ...first]: readonly [string, ...string[]],
): Promise<void> {
  const server = spawn(file, [...first, '--db', ledger, '--listen', '127.0.0.1:0']);
  try {
    const [said] = await Promise.race([once(server.stdout, 'data'), once(server.stderr, 'data')]);
    expect(String(said)).to.include('hplaced listens on');
  } finally {
    server.kill();
  }
}
