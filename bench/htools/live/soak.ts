/**
 * A fortnight of nights in some minutes. By day people create, remove, stop and start instances, and nodes
 * fail; by night the programs run as the timers of the packages run them, by one configuration file. The
 * clock of the cluster and of the programs is set from one to the other.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { Random } from '../../generate/random.ts';
import {
  addInstance,
  clockTo,
  ganeti,
  killInstances,
  LUXI,
  nodeName,
  output,
  type Ran,
  run,
  setDaemon,
  setRole,
  snapshot,
  textOf,
} from './cluster.ts';
import { allJobs, jobText, lastJob, type QueuedJob } from './queue.ts';
import { check } from './report.ts';

const DAYS = 14;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const [MORNING, EVENING, REPAIR, NIGHT] = [9, 18, 0.5, 1];
const REST_HOURS = 40;
/** Nodes that fail: not the master. */
const MORTAL = [2, 3, 4, 5, 6];
const [FEWEST, MOST] = [12, 26];

const CONFIG = '/etc/evenkeel/cluster.yaml';
/** What the timers of the package start. */
const UNIT = '/usr/lib/systemd/system/evenkeel@.service';
const SOCKET = LUXI.slice('-L'.length);
const WORDS = `hbal:
  luxi: ${SOCKET}
  all-groups: true
  exec: true
  calm: true
  worth: 1
  let-rest: ${REST_HOURS}
  until: 05:00
  max-length: 8
harep:
  luxi: ${SOCKET}
  time-limit: 300
hcheck:
  luxi: ${SOCKET}
`;

interface Instance {
  readonly name: string;
  readonly status: string;
  readonly template: string;
  readonly nodes: readonly string[];
}

function instances(): readonly Instance[] {
  const fields = 'name,status,disk_template,pnode,snodes';
  return ganeti('gnt-instance', 'list', '--no-headers', '--separator=|', '-o', fields)
    .trim()
    .split('\n')
    .map((line) => line.split('|'))
    .map(([name = '', status = '', template = '', ...nodes]) => ({
      name,
      status,
      template,
      nodes: nodes.filter((node) => node !== ''),
    }));
}

/** What of Ganeti's configuration tells which volumes there are. */
interface Config {
  readonly nodes: Readonly<Record<string, { readonly name: string }>>;
  readonly instances: Readonly<
    Record<string, { readonly primary_node: string; readonly disks: readonly string[] }>
  >;
  readonly disks: Readonly<
    Record<
      string,
      {
        readonly dev_type: string;
        readonly logical_id: readonly unknown[];
        readonly children?: readonly { readonly logical_id: readonly unknown[] }[];
      }
    >
  >;
}

/** Names of the volumes that instances have on a node: of a mirrored disk, data and meta data on both. */
function ownVolumes(node: string): ReadonlySet<string> {
  const { nodes, instances, disks }: Config = JSON.parse(
    textOf(`/srv/${nodeName(1)}/var/lib/ganeti/config.data`),
  );
  return new Set(
    Object.values(instances).flatMap(({ primary_node, disks: own }) =>
      own.flatMap((uuid) => {
        const disk = disks[uuid]!;
        const isMirrored = disk.dev_type === 'drbd';
        const homes = isMirrored ? disk.logical_id.slice(0, 2) : [primary_node];
        const volumes = isMirrored ? (disk.children ?? []) : disk.dev_type === 'plain' ? [disk] : [];
        const isHere = homes.some((home) => nodes[home as string]?.name === node);
        return isHere ? volumes.map(({ logical_id }) => logical_id[1] as string) : [];
      }),
    ),
  );
}

/** Names of the volumes on a node, by the files that stand for them. */
const foundVolumes = (node: string): readonly string[] => readdirSync(`/srv/${node}/pretended/volumes/xenvg`);

async function score(name: string): Promise<number> {
  const { groups } = JSON.parse(await output('hinfo', `-t${await snapshot(name)}`, '--json'));
  return groups.reduce((sum: number, group: { score: number }) => sum + group.score, 0);
}

interface Run {
  readonly program: string;
  readonly began: string;
  readonly state: string;
  readonly done: { readonly jobs: number };
  readonly score: { readonly before: number; readonly reached: number } | null;
  readonly why: readonly string[];
}
const history = async (): Promise<readonly Run[]> =>
  JSON.parse(await output('hbal', '--history', '--json')).runs.filter(
    ({ program }: Run) => program === 'hbal',
  );

/** Moves that hbal has made since a job. */
const ownMoves = (since: number): readonly QueuedJob[] =>
  allJobs().filter(({ id, isMove, reasons }) => id > since && isMove && reasons.includes('hbal'));

class Soak {
  private readonly random: Random;
  private readonly firstDay = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  private made = 0;
  /** A node that is offline, or that nobody has noticed to be silent, and the day on which it comes back. */
  private failed: { readonly node: number; readonly isNoticed: boolean; readonly until: number } | undefined;
  /** Volumes that dead nodes came back with. */
  private readonly strays = new Set<string>();
  readonly figures = {
    created: 0,
    refused: 0,
    removed: 0,
    stopped: 0,
    started: 0,
    failures: 0,
    silent: 0,
    acted: 0,
    held: 0,
    moves: 0,
    repairs: 0,
  };

  constructor(random: Random) {
    this.random = random;
  }

  private clock(day: number, hour: number): void {
    clockTo(this.firstDay + day * DAY_MS + hour * HOUR_MS);
  }

  /** One thing that people do, where there is anything to do it to. */
  private event(): void {
    const dead = this.failed && nodeName(this.failed.node);
    const all = instances().filter(({ nodes }) => !nodes.includes(dead ?? ''));
    const pick = (wanted: string): string | undefined => {
      const some = all.filter(({ status }) => status === wanted);
      return some.length === 0 ? undefined : this.random.pick(some).name;
    };
    const kind = this.random.weighted({
      created: all.length < MOST ? 4 : 0,
      removed: all.length > FEWEST ? 3 : 0,
      stopped: 2,
      started: 2,
    });
    const name =
      kind === 'created'
        ? `new${++this.made}.example.com`
        : pick(kind === 'started' ? 'ADMIN_down' : 'running');
    if (name === undefined) return;
    if (kind === 'created') this.create(name);
    else if (kind === 'removed') ganeti('gnt-instance', 'remove', '-f', name);
    else ganeti('gnt-instance', kind === 'stopped' ? 'shutdown' : 'startup', name);
    this.figures[kind]++;
  }

  private create(name: string): void {
    try {
      addInstance(name, `${this.random.between(1, 6)}G`);
    } catch (error) {
      // Without a node there may be no room that bears the loss of another.
      if (!(error as Error).message.includes('insufficient_resources')) throw error;
      this.figures.created--;
      this.figures.refused++;
    }
  }

  private fail(day: number): void {
    const node = this.random.pick(MORTAL);
    const isNoticed = this.random.chance(0.7);
    setDaemon(node, 'noded', false);
    if (isNoticed) {
      killInstances(nodeName(node));
      setRole(node, 'offline', true);
    }
    this.failed = { node, isNoticed, until: day + this.random.between(1, 2) };
    this.figures[isNoticed ? 'failures' : 'silent']++;
  }

  /** The node comes back, and what had no other home is started again. */
  private mend(): void {
    const { node, isNoticed } = this.failed!;
    setDaemon(node, 'noded', true);
    if (isNoticed) setRole(node, 'offline', false);
    this.failed = undefined;
    // What was moved away meanwhile has left its volumes here.
    const own = ownVolumes(nodeName(node));
    for (const volume of foundVolumes(nodeName(node))) if (!own.has(volume)) this.strays.add(volume);
    for (const { name, status } of instances())
      if (status === 'ERROR_down') ganeti('gnt-instance', 'startup', name);
  }

  private timer(program: string): Promise<Ran> {
    const [, words = ''] = /^ExecStart=\/usr\/bin\/%i (.*)$/m.exec(textOf(UNIT)) ?? [];
    return run('ours', program, words.split(' '));
  }

  async day(day: number): Promise<void> {
    this.clock(day, MORNING);
    if (this.failed && this.failed.until <= day) this.mend();
    // While a node is silent nobody can change much.
    const canWork = (): boolean => this.failed?.isNoticed !== false;
    for (let left = this.random.between(2, 5); left > 0 && canWork(); left--) this.event();
    this.clock(day, EVENING);
    if (!this.failed && day < DAYS - 2 && this.random.chance(0.3)) this.fail(day);
    const before = lastJob();
    await this.timer('harep');
    this.figures.repairs += allJobs().filter(
      ({ id, reasons, instance }) => id > before && instance && reasons.includes('harep'),
    ).length;
  }

  async night(day: number): Promise<void> {
    this.clock(day + 1, REPAIR);
    await this.timer('harep');
    await waitForJobs();
    this.clock(day + 1, NIGHT);
    const [was, before] = [instances(), lastJob()];
    const scoreBefore = this.failed ? undefined : await score('evening');
    const { status, stderr } = await this.timer('hbal');
    await this.timer('hcheck');
    const now = instances();
    const moves = ownMoves(before);
    const left = now.map(({ name, status }) => `${name} ${status}`).join('\n');
    check(
      `night ${day + 1}: no instance is lost, and all run that ran`,
      left === was.map(({ name, status }) => `${name} ${status}`).join('\n') ? undefined : left,
    );
    const wrong = [1, ...MORTAL]
      .filter((node) => node !== this.failed?.node)
      .map(nodeName)
      .flatMap((node) => {
        const [own, found] = [ownVolumes(node), foundVolumes(node)];
        const lost = [...own].filter((volume) => !found.includes(volume));
        const strays = found.filter((volume) => !own.has(volume) && !this.strays.has(volume));
        return [
          ...lost.map((volume) => `${node} lacks ${volume}`),
          ...strays.map((v) => `${node} keeps ${v}`),
        ];
      });
    check(
      `night ${day + 1}: every disk is where it belongs`,
      wrong.length === 0 ? undefined : wrong.join('\n'),
    );
    const failed = moves.filter(({ status }) => status !== 'success');
    const isHeld = this.failed !== undefined;
    check(
      `night ${day + 1}: exit status ${status}, ${moves.length} moves${isHeld ? ', held back' : ''}`,
      // What holds a night back is not asked for where its plan gains too little anyway.
      failed.length === 0 && (isHeld ? moves.length === 0 : status === 0)
        ? undefined
        : `${stderr}\n${moves.map(jobText).join('\n')}`,
    );
    if (scoreBefore !== undefined) {
      const reached = await score('morning');
      check(
        `night ${day + 1}: score ${scoreBefore.toFixed(3)} => ${reached.toFixed(3)}`,
        reached <= scoreBefore + 1e-9 ? undefined : stderr,
      );
    }
    this.figures[isHeld ? 'held' : 'acted']++;
    this.figures.moves += moves.length;
  }
}

/** Until the queue is empty. */
async function waitForJobs(): Promise<void> {
  const isOpen = ({ status }: QueuedJob): boolean => !['success', 'error', 'canceled'].includes(status);
  for (const { id } of allJobs().filter(isOpen)) ganeti('gnt-job', 'watch', `${id}`);
}

export async function checkSoak(random: Random): Promise<void> {
  mkdirSync('/etc/evenkeel', { recursive: true });
  writeFileSync(CONFIG, WORDS);
  await output('hbal', `--check-config=${CONFIG}`);
  // The cluster as it came up cannot bear the loss of a node.
  await output('hredist', LUXI, '-X');
  ganeti('gnt-cluster', 'add-tags', 'ganeti:watcher:autorepair:failover');
  const first = lastJob();
  const soak = new Soak(random);
  for (let day = 0; day < DAYS; day++) {
    await soak.day(day);
    await soak.night(day);
  }
  checkRest(ownMoves(first));
  await checkRecord(ownMoves(first).length);
  console.log(`live: soak: ${JSON.stringify(soak.figures)}`);
}

/** No instance was moved twice within the rest time, but by steps of one plan. */
function checkRest(moves: readonly QueuedJob[]): void {
  const early = moves.filter(({ id, instance, startedMs, mark }) =>
    moves.some(
      (other) =>
        other.id < id &&
        other.instance === instance &&
        other.mark!.split(' ')[0] !== mark!.split(' ')[0] &&
        startedMs - other.startedMs < REST_HOURS * HOUR_MS,
    ),
  );
  const moved = new Set(moves.map(({ instance }) => instance)).size;
  check(
    `soak: ${moves.length} moves of ${moved} instances, none within ${REST_HOURS} hours of another`,
    early.length === 0 ? undefined : early.map(jobText).join('\n'),
  );
}

/** Each night has left a record, and together they tell of all moves. */
async function checkRecord(moves: number): Promise<void> {
  const runs = await history();
  const told = runs.reduce((sum, { done }) => sum + done.jobs, 0);
  const states = runs
    .map(({ began, state, done, why }) => `${began} ${state} ${done.jobs} ${why.join('; ')}`)
    .join('\n');
  const isTold = runs.every(({ state, why }) => state === 'done' || why.length > 0);
  console.log(states.replace(/^/gm, 'live: record: '));
  check(
    `soak: ${runs.length} records tell of ${told} moves, and why where nothing was done`,
    runs.length === DAYS && told === moves && isTold ? undefined : states,
  );
}
