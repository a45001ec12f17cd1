/**
 * Where the programs of a case read their cluster from: the files, and the words of the command line that
 * name them.
 */
import type { MadeCluster } from '../../generate/made-cluster.ts';
import type { Random } from '../../generate/random.ts';
import { rapiFiles } from '../../generate/rapi.ts';
import { iallocatorMessage, type RequestType, randomRequest } from '../../generate/request.ts';
import { clusterText } from '../../generate/text.ts';
import type { ProgramName } from '../../launchers.ts';
import { withPlainDisks } from './plain-disks.ts';

export const CLUSTER_FILE = 'cluster.data';
/** Name of the iallocator message, where a case has one. */
export const REQUEST_FILE = 'request.json';
/** Folder with the answers of a RAPI server, and the address under which the programs read it. */
const RAPI_FOLDER = 'rapi';
export const RAPI_ADDRESS = `file://${RAPI_FOLDER}`;
export const RAPI_NODES = `${RAPI_FOLDER}/nodes.json`;

/** The cluster that a master daemon of the case's own has, and where it listens. */
export const MASTER_FILE = 'master.data';
export const MASTER_SOCKET = 'master';

export interface ChosenSource {
  readonly args: readonly string[];
  readonly stdin?: string | undefined;
  /** Whether the cluster comes from an iallocator message. */
  readonly isFromMessage: boolean;
}

interface Context {
  readonly cluster: MadeCluster;
  /** What a message asks for. */
  readonly requestType: RequestType;
  readonly random: Random;
  /** The files of the case; the source adds its own. */
  readonly files: Map<string, string>;
}

const HYPERVISORS = ['xen-pvm', 'kvm', 'fake'];

const messageOf = ({ cluster, requestType, random }: Context): string =>
  iallocatorMessage(cluster, randomRequest(cluster, requestType, random), random.pick(HYPERVISORS));

function fromText({ cluster, files }: Context): ChosenSource {
  files.set(CLUSTER_FILE, clusterText(cluster));
  return { args: ['-t', CLUSTER_FILE], isFromMessage: false };
}

function fromRapi({ cluster, random, files }: Context, option: readonly string[]): ChosenSource {
  for (const [name, text] of rapiFiles(cluster, RAPI_FOLDER, random.pick(HYPERVISORS), random))
    files.set(name, text);
  return { args: [...option, RAPI_ADDRESS], isFromMessage: false };
}

function fromMaster({ cluster, files }: Context): ChosenSource {
  files.set(MASTER_FILE, clusterText(cluster));
  return { args: [`-L${MASTER_SOCKET}`], isFromMessage: false };
}

/**
 * Descriptions of empty clusters, one an option: policy, nodes, disk, memory, cpus and sometimes spindles.
 */
function simulation(random: Random): string[] {
  return Array.from({ length: random.between(1, 2) }, () => {
    const cells: (string | number)[] = [
      random.pick(['preferred', 'last_resort', 'p', 'a', 'u', 'unallocable']),
      random.between(0, 6),
      random.pick(['50g', '100G', 204800]),
      random.pick(['8g', '16G', 12345]),
      random.between(1, 8),
    ];
    if (random.chance(0.4)) cells.push(random.between(1, 6));
    if (cells.length === 6 && random.chance(0.4)) cells.push(random.pick(['True', 'False']));
    return `--simulate=${cells.join(',')}`;
  });
}

/** hail: a message, which other sources may replace the cluster of. */
function forAllocator(context: Context): ChosenSource {
  const { random, files } = context;
  const message = messageOf(context);
  const isPiped = random.chance(0.1);
  if (!isPiped) files.set(REQUEST_FILE, message);
  const args = [isPiped ? '-' : REQUEST_FILE];
  if (random.chance(0.1)) args.push(...fromText(context).args);
  else if (random.chance(0.03)) args.push(...simulation(random));
  return { args, stdin: isPiped ? message : undefined, isFromMessage: true };
}

export function chooseSource(program: ProgramName, context: Context): ChosenSource {
  const { random, files } = context;
  if (program === 'hail') return forAllocator(context);
  if (program === 'harep') return fromMaster(context);
  const choice = random.fraction();
  if (program === 'hscan') return choice < 0.3 ? fromMaster(context) : fromRapi(context, []);
  if (choice < 0.08) return fromMaster(context);
  // hsqueeze takes neither messages nor RAPI.
  if (program === 'hsqueeze') return fromText(context);
  if (choice < 0.2) {
    files.set(REQUEST_FILE, withPlainDisks(messageOf(context)));
    return { args: ['-I', REQUEST_FILE], isFromMessage: true };
  }
  if (choice < 0.3) return fromRapi(context, ['-m']);
  if (program === 'hspace' && choice < 0.5) return { args: simulation(random), isFromMessage: false };
  return fromText(context);
}
