/**
 * A master daemon with a cluster and a job queue that do what the real ones do as far as moves of instances
 * go: jobs take their time, change the placement of their instance when they end, and stay in the queue. It
 * keeps count of what must never happen.
 */
import { readFileSync } from 'node:fs';
import { usesMemory } from '../../../src/htools/cluster/instance-status.ts';
import { prepareSnapshot } from '../../../src/htools/cluster/prepare/prepare.ts';
import type { InstanceSpec, RawInstance, RawNode, Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { parseText } from '../../../src/htools/sources/text/text.ts';
import { type LuxiRequest, withLuxi } from './play.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Opcode = Readonly<Record<string, unknown>>;

export interface FakeJob {
  readonly id: number;
  readonly ops: readonly Opcode[];
  readonly submittedMs: number;
  isArchived?: boolean;
  status: 'running' | 'success' | 'error' | 'canceled';
}

export interface FakeManners {
  /** How long a job takes. */
  readonly jobMs?: number;
  /** How long a submission takes into the queue, whether anybody waits for its answer or not. */
  readonly queueMs?: number;
  /** How long the answer to a submission takes, with the jobs in the queue already. */
  readonly answerMs?: number;
  /** How long a node takes to reboot. */
  readonly rebootMs?: number;
  /** How long a node that is given power takes until it answers. */
  readonly startMs?: number;
  /** Nodes that are given power and never answer. */
  readonly dead?: readonly string[];
  /** Instances whose jobs fail. */
  readonly failing?: readonly string[];
  /** Instances whose jobs fail behind their first opcode. */
  readonly halfDone?: readonly string[];
  /** Nodes whose hardware does not listen, and those that nothing is set up for. */
  readonly deaf?: readonly string[];
  readonly powerless?: readonly string[];
  /** Of nodes that are offline nothing is known, as on a real master. */
  readonly hidesOffline?: boolean;
  /** Instances with a disk that is behind its other side. */
  readonly degraded?: readonly string[];
  /** The queue knows nothing of jobs that have ended. */
  readonly forgets?: boolean;
}

const NORMAL = 0;
const UNKNOWN = 1;
const NO_DATA = 2;
const OFFLINE = 4;
/** What only a node itself can tell. */
const LIVE = new Set(['mtotal', 'mnode', 'mfree', 'dtotal', 'dfree', 'ctotal', 'cnos', 'sptotal', 'spfree']);

const specJson = (spec: InstanceSpec): object => ({
  'memory-size': spec.memoryMib,
  'cpu-count': spec.cpuCount,
  'disk-size': spec.diskMib,
  'disk-count': spec.diskCount,
  'nic-count': spec.nicCount,
  'spindle-use': spec.spindleUse,
});

const policyJson = ({
  ranges,
  standard,
  diskTemplates,
  vcpuRatio,
  spindleRatio,
}: Snapshot['policy']): object => ({
  minmax: ranges.map(({ min, max }) => ({ min: specJson(min), max: specJson(max) })),
  std: specJson(standard),
  'disk-templates': diskTemplates,
  'vcpu-ratio': vcpuRatio,
  'spindle-ratio': spindleRatio,
});

export class FakeMaster {
  readonly groups: Snapshot['groups'];
  readonly nodes: Mutable<RawNode>[];
  readonly instances: Mutable<RawInstance>[];
  readonly jobs: FakeJob[] = [];
  /** What must never happen. */
  readonly faults: string[] = [];
  /** Whether nothing new is taken. */
  isDrained = false;
  /** Whether the watcher has noted which instances were shut down from inside. */
  hasWatched = true;
  /** Until when the watcher is paused. */
  watcherPause: number | null = null;
  /** Called before the cluster is read, for the n-th time from 0; a test changes the cluster here. */
  onReading: (nth: number) => void = () => {};
  /** Called when a job has come into the queue. */
  onSubmitted: () => void = () => {};
  /** Called when jobs are looked for that are newer than one. */
  onSearching: (after: number) => void = () => {};
  /** Called when somebody begins to wait for a job. */
  onWaiting: () => void = () => {};
  /** Reboots of each node so far, and until when it is down. */
  private readonly reboots = new Map<string, { count: number; untilMs: number }>();
  /** Since when nodes are given power; those whose power was taken are there with infinity. */
  private readonly powered = new Map<string, number>();
  private readonly snapshot: Snapshot;
  private readonly manners: FakeManners;
  private readings = 0;

  constructor(file: string, manners: FakeManners = {}) {
    const raw = parseText(readFileSync(file), file);
    this.snapshot = prepareSnapshot(raw, {}).snapshot;
    this.groups = raw.groups;
    this.nodes = raw.nodes.map((node) => ({ ...node }));
    if (!this.nodes.some(({ isMaster }) => isMaster)) this.nodes[0]!.isMaster = true;
    this.instances = raw.instances.map((instance) => ({ uuid: `uuid of ${instance.name}`, ...instance }));
    this.manners = manners;
  }

  /** Answers on a socket for as long as the work takes. */
  serve<T>(work: (path: string) => Promise<T>): Promise<T> {
    return withLuxi((request) => this.answer(request), work);
  }

  /** `name primary:secondary` of all instances. */
  placements(): string[] {
    this.advance();
    return this.instances.map(
      ({ name, primary, secondary }) =>
        `${name} ${this.nodes[primary]!.name}:${this.nodes[secondary]?.name ?? ''}`,
    );
  }

  instance(name: string): Mutable<RawInstance> {
    return this.instances.find((one) => one.name === name)!;
  }

  node(name: string): Mutable<RawNode> {
    return this.nodes.find((one) => one.name === name)!;
  }

  /** Answers one request. */
  async answer({ method, args }: LuxiRequest): Promise<string> {
    this.advance();
    switch (method) {
      case 'Query':
        return success(
          args[0] === 'job'
            ? this.queryNewer(args[1] as string[], (args[2] as [string, string, number])[2])
            : this.query(args[0] as string, args[1] as string[]),
        );
      case 'QueryClusterInfo':
        return success({
          name: 'fake.example.com',
          tags: this.snapshot.tags,
          ipolicy: policyJson(this.snapshot.policy),
          master: this.nodes.find(({ isMaster }) => isMaster)!.name,
          default_hypervisor: 'fake',
        });
      case 'QueryConfigValues':
        return success(
          (args[0] as string[]).map((field) => (field === 'drain_flag' ? this.isDrained : this.watcherPause)),
        );
      case 'SubmitManyJobs': {
        if (this.isDrained) return refusal(['GenericError', ['Queue drained']]);
        await new Promise((resolve) => setTimeout(resolve, this.manners.queueMs ?? 0));
        const ids = (args[0] as Opcode[][]).map((ops) => [true, this.submit(ops)]);
        await new Promise((resolve) => setTimeout(resolve, this.manners.answerMs ?? 0));
        return success(ids);
      }
      case 'QueryJobs':
        return success(this.queryJobs(args[0] as number[] | null, args[1] as string[]));
      case 'WaitForJobChange':
        return success(await this.waitForChange(args as [number, string[], unknown[], number, number]));
      default:
        return refusal(`no such method: ${method}`);
    }
  }

  /** As the real one does: at once where the status is another than is known, or when it changes. */
  private async waitForChange([id, , [known], , seconds]: [
    number,
    string[],
    unknown[],
    number,
    number,
  ]): Promise<unknown> {
    this.onWaiting();
    const end = Date.now() + seconds * 1000;
    for (;;) {
      this.advance();
      const status = this.jobs.find((job) => job.id === id)?.status;
      if (status !== known || status !== 'running' || Date.now() >= end) return [[status ?? null], []];
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** A job of somebody else. */
  add(ops: readonly Opcode[], status: FakeJob['status'] = 'running'): FakeJob {
    const job: FakeJob = { id: this.jobs.length + 101, ops, submittedMs: Number.POSITIVE_INFINITY, status };
    this.jobs.push(job);
    return job;
  }

  private submit(ops: readonly Opcode[]): number {
    const id = this.jobs.length + 101;
    const subject = (ops[0]!.instance_name ?? ops[0]!.node_name ?? ops[0]!.name) as string;
    for (const other of this.jobs.filter(({ status }) => status === 'running')) {
      const shared = this.nodesOf(ops).filter((node) => this.nodesOf(other.ops).includes(node));
      if (shared.length > 0) this.faults.push(`jobs ${other.id} and ${id} share ${shared.join(', ')}`);
    }
    const like = JSON.stringify(ops.map(({ reason, ...rest }) => rest));
    const marks = JSON.stringify(ops.map(({ reason }) => (reason as unknown[])[1]));
    for (const other of this.jobs.filter((job) => job.ops[0]!.reason !== undefined))
      if (
        other.status !== 'error' &&
        JSON.stringify(other.ops.map(({ reason }) => (reason as unknown[])[1])) === marks &&
        JSON.stringify(other.ops.map(({ reason, ...rest }) => rest)) === like
      )
        this.faults.push(`job ${id} for ${subject} is job ${other.id} again`);
    this.noteDeadSources(id, ops);
    this.jobs.push({ id, ops, submittedMs: Date.now(), status: 'running' });
    this.onSubmitted();
    return id;
  }

  /** The real master copies from no node that it does not reach; one whose instances run is drained only. */
  private noteDeadSources(id: number, ops: readonly Opcode[]): void {
    const instance = { ...this.instance(ops[0]!.instance_name as string) };
    for (const op of ops) {
      if (op.OP_ID !== 'OP_INSTANCE_REPLACE_DISKS') instance.primary = instance.secondary;
      else if (this.nodes[instance.primary]!.isOffline && instance.status !== 'running')
        this.faults.push(`job ${id} copies from ${this.nodes[instance.primary]!.name}, which is offline`);
    }
  }

  /** Nodes that a job occupies while it runs. */
  private nodesOf(ops: readonly Opcode[]): string[] {
    // Nobody knows them yet.
    if (ops[0]!.OP_ID === 'OP_INSTANCE_CREATE') return [];
    if (ops[0]!.instance_name === undefined)
      return ops.flatMap(
        ({ node_name, node_names, name }) => node_names ?? node_name ?? name ?? [],
      ) as string[];
    const { primary, secondary } = this.instance(ops[0]!.instance_name as string);
    const targets = ops.flatMap((op) => [op.remote_node, op.target_node]);
    const named = [this.nodes[primary]?.name, this.nodes[secondary]?.name, ...targets];
    const offline = new Set(this.nodes.filter(({ isOffline }) => isOffline).map(({ name }) => name));
    return [
      ...new Set(named.filter((name): name is string => typeof name === 'string' && !offline.has(name))),
    ];
  }

  /** Ends the jobs whose time has come. */
  private advance(): void {
    for (const job of this.jobs) {
      if (job.status !== 'running' || Date.now() - job.submittedMs < (this.manners.jobMs ?? 50)) continue;
      const name = job.ops[0]!.instance_name as string | undefined;
      if (name !== undefined && this.manners.failing?.includes(name)) job.status = 'error';
      else if (name !== undefined && this.manners.halfDone?.includes(name)) {
        this.apply(this.instance(name), job.ops[0]!);
        job.status = 'error';
      } else {
        job.status = 'success';
        for (const op of job.ops)
          if (name !== undefined) this.apply(this.instance(name), op);
          else if (!this.applyToNode(op)) {
            job.status = 'error';
            break;
          }
      }
    }
  }

  private apply(instance: Mutable<RawInstance>, op: Opcode): void {
    const position = (name: unknown): number => this.nodes.findIndex((node) => node.name === name);
    if (op.OP_ID === 'OP_INSTANCE_REPLACE_DISKS') {
      this.nodes[instance.secondary]!.freeDiskMib += instance.diskMib;
      instance.secondary = position(op.remote_node);
      this.nodes[instance.secondary]!.freeDiskMib -= instance.diskMib;
      return;
    }
    const target = op.target_node === undefined ? instance.secondary : position(op.target_node);
    if (usesMemory(instance)) {
      this.nodes[instance.primary]!.freeMemMib += instance.memMib;
      this.nodes[target]!.freeMemMib -= instance.memMib;
    }
    if (op.target_node === undefined) instance.secondary = instance.primary;
    instance.primary = target;
  }

  /** @returns whether the opcode succeeds */
  private applyToNode(op: Opcode): boolean {
    const { OP_ID, node_name, node_names, name, offline, command } = op;
    if (OP_ID === 'OP_INSTANCE_QUERY_DATA') return true;
    const node = this.node((node_name ?? name ?? (node_names as string[] | undefined)?.[0]) as string);
    if (OP_ID === 'OP_OOB_COMMAND') {
      const before = this.powered.get(node.name) ?? Number.POSITIVE_INFINITY;
      const isDeaf = this.manners.deaf?.includes(node.name);
      if (command === 'power-on') this.powered.set(node.name, isDeaf ? before : Math.min(before, Date.now()));
      else if (!isDeaf) this.powered.set(node.name, Number.POSITIVE_INFINITY);
    }
    // A node that does not answer stays offline.
    const startMs = this.manners.dead?.includes(node.name) ? Infinity : (this.manners.startMs ?? 0);
    const answersAt = (this.powered.get(node.name) ?? 0) + startMs;
    if (OP_ID === 'OP_NODE_SET_PARAMS' && offline === false && Date.now() < answersAt) return false;
    this.applyTags(node, op);
    if (OP_ID === 'OP_NODE_SET_PARAMS') node.isOffline = offline as boolean;
    if (OP_ID === 'OP_NODE_POWERCYCLE') this.reboot(node.name);
    return true;
  }

  /** Tags of a node or an instance after an opcode that sets or deletes some. */
  applyTags(one: Mutable<RawNode | RawInstance>, { OP_ID, tags }: Opcode): void {
    const named = new Set(tags as string[] | undefined);
    if (OP_ID === 'OP_TAGS_SET') one.tags = [...one.tags, ...named];
    if (OP_ID === 'OP_TAGS_DEL') one.tags = one.tags.filter((tag) => !named.has(tag));
  }

  /** A node goes down at once, whatever is on it, and comes back in its time. */
  reboot(name: string): void {
    const lost = this.instances.filter(
      (one) => this.nodes[one.primary]!.name === name && one.status === 'running',
    );
    if (lost.length > 0) this.faults.push(`${name} goes down with ${lost.map((one) => one.name).join(', ')}`);
    const count = (this.reboots.get(name)?.count ?? 0) + 1;
    this.reboots.set(name, { count, untilMs: Date.now() + (this.manners.rebootMs ?? 100) });
  }

  /** How often each node was rebooted. */
  rebootCounts(): Record<string, number> {
    return Object.fromEntries([...this.reboots].map(([name, { count }]) => [name, count]));
  }

  private isDown(name: string): boolean {
    return Date.now() < (this.reboots.get(name)?.untilMs ?? 0);
  }

  /** Jobs whose ids are greater than one. */
  private queryNewer(fields: readonly string[], after: number): object {
    this.onSearching(after);
    const rows = this.queryJobs(null, ['id', ...fields]) as unknown[][];
    const newer = rows.filter(([id]) => (id as number) > after);
    return { data: newer.map(([, ...values]) => values.map((value) => [NORMAL, value])) };
  }

  private queryJobs(ids: readonly number[] | null, fields: readonly string[]): unknown[] {
    const isKnown = (job: FakeJob): boolean => !(this.manners.forgets && job.status !== 'running');
    const listed = this.jobs.filter(
      (job) => isKnown(job) && (!job.isArchived || fields.includes('archived')),
    );
    const wanted = ids ?? listed.map(({ id }) => id);
    return wanted.map((id) => {
      const job = this.jobs.find((one) => one.id === id && isKnown(one));
      return fields.map((field) => {
        if (!job) return null;
        if (field === 'id') return job.id;
        if (field === 'ops') return job.ops;
        if (field === 'status') return job.status;
        if (field === 'archived') return job.isArchived === true;
        if (field === 'opstatus')
          return job.ops.map(({ OP_ID }) => (OP_ID === 'OP_OOB_COMMAND' ? 'success' : job.status));
        if (field === 'opresult' && job.status === 'success') return job.ops.map((op) => this.resultOf(op));
        if (field === 'opresult')
          return job.ops.map((op) =>
            op.OP_ID === 'OP_OOB_COMMAND'
              ? this.resultOf(op)
              : ['OpExecError', ['Disk sync failed\u001b[31m']],
          );
        return job.ops.map(() => [[1, [1795277570, 5], 'message', ' - INFO: copying disks']]);
      });
    });
  }

  /** Of a command to the hardware, a row for each node; of a look at disks, their two sides. */
  private resultOf({ OP_ID, node_names, instances }: Opcode): unknown {
    const side = (isDegraded: boolean) => ['/dev/drbd0', 147, 0, null, null, isDegraded, 1];
    if (OP_ID === 'OP_INSTANCE_QUERY_DATA')
      return Object.fromEntries(
        (instances as string[]).map((name) => {
          const sstatus = side(this.manners.degraded?.includes(name) === true);
          return [name, { name, disks: [{ pstatus: side(false), sstatus, children: [] }] }];
        }),
      );
    if (OP_ID !== 'OP_OOB_COMMAND') return null;
    return (node_names as string[]).map((name) => [
      [NORMAL, name],
      [this.manners.deaf?.includes(name) ? NO_DATA : NORMAL, null],
    ]);
  }

  private query(what: string, fields: readonly string[]): object {
    if (what === 'node' && !fields.includes('bootid')) this.onReading(this.readings++);
    const records =
      what === 'node'
        ? this.nodes.map((node) => this.nodeFields(node))
        : what === 'instance'
          ? this.instances.map((instance) => this.instanceFields(instance))
          : what === 'network'
            ? this.networks()
            : this.groups.map((group) => ({
                uuid: group.uuid,
                name: group.name,
                alloc_policy: group.allocPolicy,
                ipolicy: policyJson(group.policy),
                tags: group.tags,
              }));
    return {
      fields: fields.map((name) => ({ name, title: name, kind: 'other', doc: '' })),
      data: records.map((record) =>
        fields.map((field) =>
          field !== 'name' && what === 'node' && this.isDown((record as { name: string }).name)
            ? [NO_DATA, null]
            : LIVE.has(field) && this.manners.hidesOffline && (record as { offline?: boolean }).offline
              ? [OFFLINE, null]
              : field in record
                ? [NORMAL, (record as Record<string, unknown>)[field]]
                : [UNKNOWN, null],
        ),
      ),
    };
  }

  /** All that a group is connected to, or an instance. */
  private networks(): readonly object[] {
    const uuids = [
      ...this.groups.flatMap(({ networks }) => networks),
      ...this.instances.flatMap(({ nics }) => nics.flatMap(({ network }) => network ?? [])),
    ];
    return [...new Set(uuids)].map((uuid) => ({
      name: `network ${uuid}`,
      uuid,
      group_list: this.groups
        .filter(({ networks }) => networks.includes(uuid))
        .map(({ name }) => [name, 'bridged', 'br0', '']),
      inst_list: this.instances
        .filter(({ nics }) => nics.some(({ network }) => network === uuid))
        .map(({ name }) => name),
    }));
  }

  private nodeFields(node: RawNode): object {
    return {
      name: node.name,
      role: node.isOffline ? 'O' : 'N',
      bootid: `boot ${this.reboots.get(node.name)?.count ?? 0} of ${node.name}`,
      'ndp/oob_program': this.manners.powerless?.includes(node.name) ? '' : '/usr/local/sbin/power',
      mtotal: node.totalMemMib,
      mnode: node.nodeMemMib,
      mfree: node.freeMemMib,
      dtotal: node.totalDiskMib,
      dfree: node.freeDiskMib,
      ctotal: node.totalCpus,
      cnos: node.nodeCpus,
      offline: node.isOffline,
      drained: false,
      vm_capable: true,
      'ndp/spindle_count': node.spindles,
      'group.uuid': this.groups[node.group]!.uuid,
      tags: node.tags,
      'ndp/exclusive_storage': node.hasExclusiveStorage,
      sptotal: node.spindles,
      spfree: node.freeSpindles,
      'ndp/cpu_speed': node.cpuSpeed,
      ...(node.storagePools ? { storage_pools: node.storagePools } : {}),
    };
  }

  private instanceFields(instance: RawInstance): object {
    const [type, pool] = instance.storagePool?.split('/') ?? [];
    return {
      name: instance.name,
      ...(instance.uuid === undefined ? {} : { uuid: instance.uuid }),
      disk_usage: instance.diskMib,
      'be/memory': instance.memMib,
      'be/vcpus': instance.vcpus,
      status: instance.status,
      admin_state: instance.status === 'USER_down' && this.hasWatched ? 'down' : 'up',
      pnode: this.nodes[instance.primary]!.name,
      snodes: instance.secondary < 0 ? [] : [this.nodes[instance.secondary]!.name],
      tags: instance.tags,
      'be/auto_balance': instance.isAutoBalanced,
      disk_template: instance.diskTemplate,
      'be/spindle_use': instance.spindleUse,
      'disk.sizes': instance.disks.map(({ sizeMib }) => sizeMib),
      'disk.spindles': instance.disks.map(({ spindles }) => spindles ?? null),
      forthcoming: instance.isForthcoming,
      ...(type === undefined ? {} : { storage_type: type, storage_pool: pool }),
    };
  }
}

const refusal = (result: string | readonly unknown[]): string => JSON.stringify({ success: false, result });
const success = (result: unknown): string => JSON.stringify({ success: true, result });
