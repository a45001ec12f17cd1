/**
 * hail as the cluster's allocator: the master's own requests, answered as the stock program answers them, and
 * jobs that come of it.
 */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ganeti, pathOf, run, SCRATCH, snapshot, textOf } from './cluster.ts';
import { check } from './report.ts';

/** Where the master looks for allocators; covered by a folder of the namespace's own (cluster.sh). */
const ALLOCATORS = '/usr/lib/ganeti/iallocators';
const REQUESTS = `${SCRATCH}/requests`;

/** Ours under a name of its own; it keeps what it is asked. */
function install(): void {
  mkdirSync(REQUESTS);
  const script = `#!/bin/sh
cp "$1" "${REQUESTS}/$$.json"
PATH=${dirname(process.execPath)}:$PATH exec ${pathOf('ours', 'hail')} "$@"
`;
  writeFileSync(`${ALLOCATORS}/ours`, script);
  chmodSync(`${ALLOCATORS}/ours`, 0o755);
}

/** A new instance, for which the cluster asks for a place. */
const add = (name: string, template: string, size: string): string =>
  ganeti(
    'gnt-instance',
    ...`add -I ours -t ${template} --disk 0:size=${size} -o noop+default -B memory=2G --no-nics`.split(' '),
    ...'--no-name-check --no-ip-check --no-conflicts-check'.split(' '),
    `${name}.example.com`,
  );

/** Lets the cluster ask for places, and do what the answers say. */
export async function checkAllocator(): Promise<void> {
  install();
  const text = await snapshot('allocator-text');
  add('new1', 'drbd', '5G');
  add('new2', 'plain', '3G');
  ganeti('gnt-instance', 'replace-disks', '-I', 'ours', 'new1.example.com');
  ganeti('gnt-node', 'evacuate', '-f', '-s', '-I', 'ours', 'node1.example.com');
  ganeti('gnt-instance', 'change-group', '-I', 'ours', '--to', 'other', 'new1.example.com');
  const requests = readdirSync(REQUESTS);
  check(
    `hail as the cluster's allocator: ${requests.length} requests, and the jobs they led to`,
    requests.length === 5 ? undefined : requests.join('\n'),
  );
  for (const name of requests)
    for (const more of [[], [`-t${text}`]]) {
      const words = [`${REQUESTS}/${name}`, ...more];
      const ours = await run('ours', 'hail', words);
      const stock = await run('stock', '../lib/ganeti/iallocators/hail', words);
      // On several groups ours has members of its own behind stock's.
      const theirs = stock.stdout.trimEnd().slice(0, -1);
      const isSame = ours.status === 0 && stock.status === 0 && ours.stdout.startsWith(theirs);
      const { type } = JSON.parse(textOf(`${REQUESTS}/${name}`)).request;
      check(
        `hail${more.length > 0 ? ' -t' : ''} answers the request to ${type} as the stock program`,
        isSame ? undefined : `ours:\n${ours.stdout}${ours.stderr}\nstock:\n${stock.stdout}${stock.stderr}`,
      );
    }
  for (const name of ['new1', 'new2']) ganeti('gnt-instance', 'remove', '-f', `${name}.example.com`);
}
