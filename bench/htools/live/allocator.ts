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

/** Ours under a name of its own; it keeps what it is asked, numbered from 0. */
function install(): void {
  mkdirSync(REQUESTS);
  const script = `#!/bin/sh\ncp "$1" "${REQUESTS}/$(ls ${REQUESTS} | wc -l).json"\nexec ${ALLOCATORS}/hail "$@"\n`;
  writeFileSync(`${ALLOCATORS}/ours`, script);
  chmodSync(`${ALLOCATORS}/ours`, 0o755);
}

/** A new instance, for which the cluster asks for a place. */
const add = (allocator: string, name: string, template: string, size: string): string =>
  ganeti(
    'gnt-instance',
    ...`add -I ${allocator} -t ${template} --disk 0:size=${size} -o noop+default`.split(' '),
    ...'-B memory=512M --no-nics --no-name-check --no-ip-check --no-conflicts-check'.split(' '),
    `${name}.example.com`,
  );

const remove = (name: string): string => ganeti('gnt-instance', 'remove', '-f', `${name}.example.com`);

/** A file for `gnt-instance batch-create`. */
const BATCH = `${SCRATCH}/batch.json`;
const batchEntry = (name: string) => ({
  instance_name: `${name}.example.com`,
  mode: 'create',
  hypervisor: 'fake',
  disk_template: 'plain',
  disks: [{ size: 1024 }],
  nics: [],
  beparams: { memory: 512, vcpus: 1 },
  os_type: 'noop+default',
  name_check: false,
  ip_check: false,
});

const FIELDS = ['name', 'pnode', 'snodes', 'pnode.group', 'disk_template', 'be/memory'] as const;

/** Where each instance is, and what it is. */
const homes = (): readonly Record<(typeof FIELDS)[number], string>[] =>
  ganeti('gnt-instance', 'list', '--no-headers', '--separator=|', '--units=m', '-o', FIELDS.join())
    .trim()
    .split('\n')
    .map((line) => {
      const cells = line.split('|');
      return Object.fromEntries(FIELDS.map((field, at) => [field, cells[at]!])) as ReturnType<
        typeof homes
      >[number];
    });

const LARGE_MIB = 16 * 1024;

/** A node that all its instances can leave: none has its disk there alone, and none is a large one. */
function nodeToLeave(): string {
  const all = homes();
  const stays = all.filter((one) => one.disk_template === 'plain' || Number(one['be/memory']) > LARGE_MIB);
  const home = all.find(({ pnode }) => !stays.some((one) => one.pnode === pnode));
  if (home === undefined) throw new Error('no node can be left on this cluster');
  return home.pnode;
}

/** A mirrored instance in the group that has other nodes for its mirror. */
function mirrored(): { readonly name: string; readonly snodes: string } {
  const one = homes().find((home) => home.disk_template === 'drbd' && home['pnode.group'] === 'default');
  if (one === undefined) throw new Error('there is no mirrored instance in the first group');
  return one;
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

/** What makes the cluster ask, in this order: each kind of request, and each kind of evacuation. */
const OCCASIONS: readonly (() => void)[] = [
  () => add('ours', 'new1', 'drbd', '5G'),
  () => ganeti('gnt-node', 'evacuate', '-f', '-s', '-I', 'ours', mirrored().snodes),
  () => ganeti('gnt-instance', 'replace-disks', '-I', 'ours', mirrored().name),
  () => ganeti('gnt-node', 'evacuate', '-f', '-p', '-I', 'ours', nodeToLeave()),
  // Ganeti's other commands ask for one half or the other.
  () =>
    ganeti(
      'gnt-debug',
      ...'allocator --dir=out --mode=node-evacuate --evac-mode=all --iallocator=ours'.split(' '),
      mirrored().name,
    ),
  () => ganeti('gnt-instance', 'change-group', '-I', 'ours', 'new1.example.com'),
  () => add('ours', 'new2', 'plain', '3G'),
  () => {
    ganeti('gnt-instance', 'shutdown', 'new2.example.com');
    ganeti('gnt-instance', 'modify', '-t', 'drbd', '-I', 'ours', '--no-wait-for-sync', 'new2.example.com');
  },
  () => {
    writeFileSync(BATCH, JSON.stringify(['new3', 'new4'].map(batchEntry)));
    ganeti('gnt-instance', 'batch-create', '-I', 'ours', BATCH);
  },
];

/** Lets the cluster, which bears the loss of a node, ask for places and do what the answers say. */
export async function checkAllocator(): Promise<void> {
  install();
  for (const [at, ask] of OCCASIONS.entries()) {
    const text = await snapshot(`request-${at}`);
    ask();
    const message = `${REQUESTS}/${at}.json`;
    const { type, evac_mode: mode } = JSON.parse(textOf(message)).request;
    for (const more of [[], [`-t${text}`]]) {
      const words = [message, ...more];
      const ours = await run('ours', 'hail', words);
      const stock = await run('stock', 'hail', words);
      // On several groups ours has members of its own behind stock's.
      const theirs = stock.stdout.trimEnd().slice(0, -1);
      const isSame = ours.status === 0 && stock.status === 0 && ours.stdout.startsWith(theirs);
      check(
        `hail${more.length > 0 ? ' -t' : ''} answers the request to ${mode === undefined ? type : `${type} (${mode})`} as the stock program`,
        isSame ? undefined : `ours:\n${ours.stdout}${ours.stderr}\nstock:\n${stock.stdout}${stock.stderr}`,
      );
    }
  }
  const requests = readdirSync(REQUESTS);
  check(
    "hail as the cluster's allocator: one request each, and the jobs they led to",
    requests.length === OCCASIONS.length ? undefined : requests.join('\n'),
  );
  for (const name of ['new1', 'new2', 'new3', 'new4']) remove(name);
}
