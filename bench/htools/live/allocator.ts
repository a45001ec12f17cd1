/**
 * hail as the cluster's allocator: the master's own requests, answered as the stock program answers them, and
 * jobs that come of it.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { ganeti, run, SCRATCH, snapshot, textOf } from './cluster.ts';
import { check } from './report.ts';

/** Where the master looks for allocators. */
const ALLOCATORS = '/usr/lib/ganeti/iallocators';
const REQUESTS = `${SCRATCH}/requests`;

/** Ours under a name of its own; it keeps what it is asked. */
function install(): void {
  mkdirSync(REQUESTS);
  const script = `#!/bin/sh\ncp "$1" "${REQUESTS}/$$.json"\nexec ${ALLOCATORS}/hail "$@"\n`;
  writeFileSync(`${ALLOCATORS}/ours`, script);
  chmodSync(`${ALLOCATORS}/ours`, 0o755);
}

/** A new instance, for which the cluster asks for a place. */
const add = (allocator: string, name: string, template: string, size: string): string =>
  ganeti(
    'gnt-instance',
    ...`add -I ${allocator} -t ${template} --disk 0:size=${size} -o noop+default`.split(' '),
    ...'-B memory=2G --no-nics --no-name-check --no-ip-check --no-conflicts-check'.split(' '),
    `${name}.example.com`,
  );

const remove = (name: string): string => ganeti('gnt-instance', 'remove', '-f', `${name}.example.com`);

/** An instance of the first group, which has other nodes for its mirror. */
const MIRRORED = 'inst1.example.com';

/** A file for `gnt-instance batch-create`. */
const BATCH = `${SCRATCH}/batch.json`;
const batchEntry = (name: string) => ({
  instance_name: `${name}.example.com`,
  mode: 'create',
  disk_template: 'plain',
  disks: [{ size: 1024 }],
  nics: [],
  beparams: { memory: 512, vcpus: 1 },
  os_type: 'noop+default',
  name_check: false,
  ip_check: false,
});

const LARGE_MIB = 16 * 1024;

/** A node that all its instances can leave: on shared or mirrored disks, and none of the large ones. */
function nodeToLeave(): string {
  const fields = 'pnode,disk_template,be/memory';
  const homes = ganeti('gnt-instance', 'list', '--no-headers', '--separator=|', '--units=m', '-o', fields)
    .trim()
    .split('\n')
    .map((line) => line.split('|') as [node: string, template: string, memMib: string]);
  const stays = homes.filter(
    ([, template, memMib]) => !['drbd', 'sharedfile'].includes(template) || Number(memMib) > LARGE_MIB,
  );
  const home = homes.find(([name]) => !stays.some(([other]) => other === name));
  if (home === undefined) throw new Error('no node can be left on this cluster');
  return home[0];
}

/**
 * The installed packages: `-I hail` is ours, which alone knows the parameter, and the stock one is there
 * under another name.
 */
export function checkInstalled(): void {
  const explanation = `${SCRATCH}/explanation.json`;
  ganeti('gnt-cluster', 'modify', `--default-iallocator-params=explain=${explanation}`);
  add('hail', 'new0', 'plain', '1G');
  check(
    'gnt-instance add -I hail asks ours',
    existsSync(explanation) ? undefined : 'there is no explanation',
  );
  remove('new0');
  let refusal = '';
  try {
    add('hail-ganeti', 'new0', 'plain', '1G');
  } catch (error) {
    refusal = (error as Error).message;
  }
  ganeti('gnt-cluster', 'modify', '--default-iallocator-params=');
  check(
    '-I hail-ganeti asks the stock one',
    /unrecognized option.*explain/.test(refusal) ? undefined : refusal,
  );
  add('hail-ganeti', 'new0', 'plain', '1G');
  check(
    'and it finds a place',
    ganeti('gnt-instance', 'list', 'new0.example.com').includes('running') ? undefined : 'none',
  );
  remove('new0');
}

/** Lets the cluster ask for places, and do what the answers say. */
export async function checkAllocator(): Promise<void> {
  install();
  const text = await snapshot('allocator-text');
  add('ours', 'new1', 'drbd', '5G');
  add('ours', 'new2', 'plain', '3G');
  ganeti('gnt-instance', 'replace-disks', '-I', 'ours', MIRRORED);
  ganeti('gnt-node', 'evacuate', '-f', '-s', '-I', 'ours', 'node1.example.com');
  ganeti('gnt-node', 'evacuate', '-f', '-p', '-I', 'ours', nodeToLeave());
  ganeti('gnt-instance', 'change-group', '-I', 'ours', '--to', 'other', MIRRORED);
  ganeti('gnt-instance', 'shutdown', 'new2.example.com');
  ganeti('gnt-instance', 'modify', '-t', 'drbd', '-I', 'ours', '--no-wait-for-sync', 'new2.example.com');
  writeFileSync(BATCH, JSON.stringify(['new3', 'new4'].map(batchEntry)));
  ganeti('gnt-instance', 'batch-create', '-I', 'ours', BATCH);
  const requests = readdirSync(REQUESTS);
  check(
    `hail as the cluster's allocator: ${requests.length} requests, and the jobs they led to`,
    requests.length === 8 ? undefined : requests.join('\n'),
  );
  for (const name of requests)
    for (const more of [[], [`-t${text}`]]) {
      const words = [`${REQUESTS}/${name}`, ...more];
      const ours = await run('ours', 'hail', words);
      const stock = await run('stock', 'hail', words);
      // On several groups ours has members of its own behind stock's.
      const theirs = stock.stdout.trimEnd().slice(0, -1);
      const isSame = ours.status === 0 && stock.status === 0 && ours.stdout.startsWith(theirs);
      const { type } = JSON.parse(textOf(`${REQUESTS}/${name}`)).request;
      check(
        `hail${more.length > 0 ? ' -t' : ''} answers the request to ${type} as the stock program`,
        isSame ? undefined : `ours:\n${ours.stdout}${ours.stderr}\nstock:\n${stock.stdout}${stock.stderr}`,
      );
    }
  for (const name of ['new1', 'new2', 'new3', 'new4']) remove(name);
}
