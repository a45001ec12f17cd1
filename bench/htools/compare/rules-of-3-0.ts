/**
 * Where stock 3.0 follows other rules than 3.1, which ours follows (docs/reference/differences.md), and the
 * same case without the cause: with figures and options on which both agree. When the two programs agree
 * there, the rule is all that tells them apart.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plannableMem } from '../../../src/htools/cluster/snapshot.ts';
import * as F from '../../../src/htools/model/state/node-fields.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { type LoadOptions, loadSnapshot } from '../../../src/htools/sources/load-snapshot.ts';
import type { ComparisonCase } from './case.ts';
import {
  CLUSTER_FILE,
  MASTER_FILE,
  MASTER_SOCKET,
  RAPI_ADDRESS,
  RAPI_NODES,
  REQUEST_FILE,
} from './sources.ts';
import { writeFiles } from './write-files.ts';

const STATIC_MEMORY = '--static-kvm-node-memory=';

/** New free memory (MiB) of nodes, by name. */
type FreeMem = ReadonlyMap<string, number>;

/**
 * The file that tells the free memory of the nodes, how to load a cluster from it, and how to write new
 * figures into it.
 */
interface Source {
  readonly file: string;
  readonly load: (folder: string) => LoadOptions;
  readonly change: (text: string, freeMem: FreeMem) => string;
}

const FREE_COLUMN = 3;

const TEXT: Source = {
  file: CLUSTER_FILE,
  load: (folder) => ({ textFile: join(folder, CLUSTER_FILE) }),
  change: (text, freeMem) => {
    const [groups, nodes, ...others] = text.split('\n\n');
    const rows = nodes!.split('\n').map((row) => {
      const cells = row.split('|');
      const free = freeMem.get(cells[0]!);
      return free === undefined ? row : cells.with(FREE_COLUMN, String(free)).join('|');
    });
    return [groups, rows.join('\n'), ...others].join('\n\n');
  },
};

const MASTER: Source = {
  ...TEXT,
  file: MASTER_FILE,
  load: (folder) => ({ textFile: join(folder, MASTER_FILE) }),
};

const RAPI: Source = {
  file: RAPI_NODES,
  load: (folder) => ({ rapiAddress: RAPI_ADDRESS.replace('//', `//${folder}/`) }),
  change: (text, freeMem) => {
    const nodes = JSON.parse(text) as { name: string; mfree: number }[];
    for (const node of nodes) node.mfree = freeMem.get(node.name) ?? node.mfree;
    return JSON.stringify(nodes);
  },
};

const MESSAGE: Source = {
  file: REQUEST_FILE,
  load: (folder) => ({ iallocatorFile: join(folder, REQUEST_FILE) }),
  change: (text, freeMem) => {
    const message = JSON.parse(text);
    for (const [name, free] of freeMem) message.nodes[name].free_memory = free;
    return JSON.stringify(message);
  },
};

function sourceOf({ args }: ComparisonCase): Source | undefined {
  if (args.includes(CLUSTER_FILE)) return TEXT;
  if (args.includes(`-L${MASTER_SOCKET}`)) return MASTER;
  if (args.includes(RAPI_ADDRESS)) return RAPI;
  return args.some((word) => word.startsWith('--simulate=')) ? undefined : MESSAGE;
}

/**
 * Nodes that fail N+1 by the rule of 3.1 alone, with so little free memory that they fail by that of 3.0 as
 * well, which looks at what the node reports and lets equality pass.
 */
function newFailures(state: ClusterState): FreeMem {
  const found = new Map<string, number>();
  state.snapshot.nodes.forEach((node, n) => {
    const free = state.nodeFields[n * F.NODE_STRIDE + F.FREE_MEM]!;
    const reserved = state.nodeFields[n * F.NODE_STRIDE + F.RESERVED_MEM]!;
    const failsOnlyNow =
      state.nodeFields[n * F.NODE_STRIDE + F.FAILS_N1] === 1 && plannableMem(node) >= reserved;
    if (failsOnlyNow && !node.isOffline) found.set(node.name, Math.min(free, reserved - 1));
  });
  return found;
}

async function failuresIn(trial: ComparisonCase, source: Source, text: string): Promise<FreeMem> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-rules-'));
  const asked = trial.args.findLast((word) => word.startsWith(STATIC_MEMORY))?.slice(STATIC_MEMORY.length);
  try {
    writeFiles(folder, trial.files);
    writeFileSync(join(folder, source.file), text);
    const { snapshot } = await loadSnapshot({
      ...source.load(folder),
      staticKvmNodeMemoryMib: asked === undefined ? undefined : Number(asked),
    });
    return newFailures(new ClusterState(snapshot));
  } catch {
    // A cluster that cannot be read is refused before any rule is applied.
    return new Map();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 3.0 saves what hscan reads as it is; 3.1 with the memory of the nodes' own systems set right. */
const withoutStaticMemory = (trial: ComparisonCase): ComparisonCase =>
  trial.program === 'hscan' ? { ...trial, args: [...trial.args, `${STATIC_MEMORY}0`] } : trial;

/** The case with the causes taken out; undefined where no rule that differs applies. */
export async function whereRulesAgree(given: ComparisonCase): Promise<ComparisonCase | undefined> {
  const trial = withoutStaticMemory(given);
  const source = sourceOf(trial);
  const text = source && (trial.stdin ?? trial.files.get(source.file));
  const freeMem = source && text !== undefined ? await failuresIn(trial, source, text) : new Map();
  if (!source || text === undefined || freeMem.size === 0) return trial === given ? undefined : trial;
  const changed = source.change(text, freeMem);
  return trial.stdin === undefined
    ? { ...trial, files: new Map([...trial.files, [source.file, changed]]) }
    : { ...trial, stdin: changed };
}
