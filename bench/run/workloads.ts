/**
 * What is measured: programs, sizes and command lines; the shapes are the plain drbd cluster and mixed ones.
 */
import { makeCluster } from '../generate/cluster.ts';
import { type IallocatorRequest, iallocatorMessage } from '../generate/request.ts';
import { type ClusterShape, PLAIN_SHAPE } from '../generate/shape.ts';
import { clusterText } from '../generate/text.ts';
import type { ProgramName } from '../launchers.ts';

export interface Workload {
  /** Same name = same work at different sizes: one curve of the plot. */
  readonly name: string;
  readonly program: ProgramName;
  /** Nodes. */
  readonly size: number;
  readonly shape: ClusterShape;
  readonly args: readonly string[];
  /** Whether stock can do the same in reasonable time. */
  readonly hasStock: boolean;
  /** Part of `--short`. */
  readonly isShort: boolean;
  /** Made only when it is run. */
  readonly input: () => { readonly file: string; readonly content: string };
}

export const SEED = 20;
const CLUSTER_FILE = 'cluster.data';
const REQUEST_FILE = 'request.json';

const plain = (nodes: number): ClusterShape => ({ ...PLAIN_SHAPE, seed: SEED, nodesPerGroup: nodes });

/** Groups of 40 nodes. */
const grouped = (groups: number): ClusterShape => ({ ...plain(40), groupCount: groups });

const mixed = (nodes: number): ClusterShape => ({
  ...plain(nodes),
  templates: { drbd: 6, plain: 1, ext: 2, rbd: 1 },
});

/** Everything that makes candidates dearer to judge: tags of all kinds beside mixed templates. */
const tagged = (nodes: number): ClusterShape => ({
  ...mixed(nodes),
  locationCount: 4,
  hypervisorVersions: 2,
  allowsUpgrades: true,
});

/** Room enough for any one node to fail, so that the capacity check has to go to its end. */
const roomy = (nodes: number): ClusterShape => ({
  ...mixed(nodes),
  memoryFill: 0.4,
  downShare: 0,
  manualShare: 0,
});

interface Choice {
  readonly stock?: boolean;
  readonly short?: boolean;
}

const onText = (
  name: string,
  program: ProgramName,
  shape: ClusterShape,
  options: readonly string[],
  { stock = false, short = false }: Choice,
): Workload => ({
  name,
  program,
  size: shape.nodesPerGroup * shape.groupCount,
  shape,
  args: ['-t', CLUSTER_FILE, ...options],
  hasStock: stock,
  isShort: short,
  input: () => ({ file: CLUSTER_FILE, content: clusterText(makeCluster(shape)) }),
});

/**
 * hail on a message. Requests are made by hand: a benchmark must not depend on what a random one happens to
 * be.
 */
const onMessage = (
  name: string,
  shape: ClusterShape,
  request: (names: readonly string[]) => IallocatorRequest,
  { stock = false, short = false }: Choice,
): Workload => ({
  name,
  program: 'hail',
  size: shape.nodesPerGroup * shape.groupCount,
  shape,
  args: [REQUEST_FILE],
  hasStock: stock,
  isShort: short,
  input: () => {
    const cluster = makeCluster(shape);
    const loads = cluster.nodes.map((_, at) =>
      cluster.instances.filter((one) => one.primary === at || one.secondary === at),
    );
    const heaviest = loads.reduce((most, load) => (load.length > most.length ? load : most));
    const content = iallocatorMessage(cluster, request(heaviest.map((instance) => instance.name)));
    return { file: REQUEST_FILE, content };
  },
});

const ALLOCATE: IallocatorRequest = {
  type: 'allocate',
  name: 'fresh.example.com',
  memory: 2048,
  vcpus: 2,
  disk_template: 'drbd',
  disk_space_total: 20480,
  disks: [{ size: 20480, mode: 'rw' }],
  spindle_use: 1,
  tags: [],
  nics: [],
  os: 'image+default',
  hypervisor: 'kvm',
  required_nodes: 2,
};

const evacuate = (instances: readonly string[]): IallocatorRequest => ({
  type: 'node-evacuate',
  evac_mode: 'all',
  instances,
});

const SIZES = [20, 40, 80, 160, 320, 1000];
/** Largest sizes at which stock hbal ends within two minutes: a step, and a whole run. */
const STOCK_STEP_NODES = 80;
const STOCK_RUN_NODES = 40;

/** Everything, smallest first. */
export function workloads(): readonly Workload[] {
  const specs = [
    '--disk-template',
    'drbd',
    '--standard-alloc',
    '51200,4096,2',
    '--tiered-alloc',
    '102400,8192,4',
  ];
  const checked = ['--standard-alloc', '51200,4096,2', '--tiered-alloc', '102400,8192,4'];
  return [
    ...SIZES.map((nodes) =>
      onText('hbal, one step', 'hbal', plain(nodes), ['-l', '1'], {
        stock: nodes <= STOCK_STEP_NODES,
        short: nodes <= 40,
      }),
    ),
    ...SIZES.map((nodes) =>
      onText('hbal, full run', 'hbal', plain(nodes), [], {
        stock: nodes <= STOCK_RUN_NODES,
        short: nodes <= 20,
      }),
    ),
    onText('hbal, 10 steps', 'hbal', plain(40), ['-l', '10'], { stock: true }),
    onText('hbal, 3 steps', 'hbal', plain(80), ['-l', '3'], { stock: true }),
    onText('hbal, 10 steps, mixed', 'hbal', tagged(40), ['-l', '10'], { stock: true }),
    onText('hbal, full run, mixed', 'hbal', tagged(40), [], {}),
    ...SIZES.map((nodes) =>
      onText('hcheck, 2 steps', 'hcheck', { ...plain(nodes), offlineNodes: 1 }, ['-l', '2'], {
        stock: nodes <= 40,
        short: nodes <= 20,
      }),
    ),
    ...SIZES.map((nodes) => onText('hinfo', 'hinfo', plain(nodes), [], { stock: true, short: nodes <= 40 })),
    ...[20, 40, 80, 160, 320].map((nodes) =>
      onText('hspace', 'hspace', plain(nodes), specs, { stock: nodes <= 40 }),
    ),
    ...[20, 40, 80, 160, 320].map((nodes) =>
      onText('hspace, usual sizes', 'hspace', plain(nodes), ['--disk-template', 'drbd'], {
        stock: nodes <= 40,
      }),
    ),
    ...[20, 40, 80].map((nodes) =>
      onText(
        'hspace, checked one by one',
        'hspace',
        plain(nodes),
        ['--disk-template', 'plain', ...checked],
        {},
      ),
    ),
    ...[8, 25].map((groups) => onText('hspace, groups of 40', 'hspace', grouped(groups), [], {})),
    onText('hspace, 3 instances', 'hspace', plain(20), [...specs, '-l', '3'], { stock: true, short: true }),
    ...[4, ...SIZES].map((nodes) =>
      onMessage('hail, allocate', plain(nodes), () => ALLOCATE, { stock: nodes <= 320, short: nodes <= 40 }),
    ),
    ...[20, 40, 80].map((nodes) =>
      onMessage('hail, allocate, mixed', roomy(nodes), () => ALLOCATE, {
        stock: nodes <= 40,
        short: nodes <= 20,
      }),
    ),
    ...[20, 40, 80, 160].map((nodes) =>
      onMessage('hail, evacuate', plain(nodes), evacuate, { stock: nodes <= 80, short: nodes <= 20 }),
    ),
  ];
}
