/**
 * Whether an answer of hail asks Ganeti for what it cannot do: to copy disks from a node that is offline, or
 * to fail over to one. The stock program does so; ours leaves the instance where it is
 * (docs/reference/differences.md).
 */
import { z } from 'zod';
import { reachableNames } from '../../../src/htools/cluster/instance-status.ts';
import type { RawSnapshot } from '../../../src/htools/cluster/snapshot.ts';
import { parseText } from '../../../src/htools/sources/text/text.ts';
import { InputError } from '../../../src/kit/faults.ts';
import type { ComparisonCase } from './case.ts';
import { CLUSTER_FILE, REQUEST_FILE } from './sources.ts';

/** What hail was asked, with the cluster of `-t`, where one is given and can be read, in place of its own. */
export function messageAsked({
  stdin,
  files,
  args,
}: Pick<ComparisonCase, 'stdin' | 'files' | 'args'>): string {
  const message = stdin ?? files.get(REQUEST_FILE) ?? '';
  const own = jsonOf(message);
  const snapshot = args.includes(CLUSTER_FILE) ? readable(files.get(CLUSTER_FILE)!) : undefined;
  if (snapshot === undefined || typeof own !== 'object') return message;
  const names = snapshot.nodes.map(({ name }) => name);
  const reachable = reachableNames(snapshot);
  return JSON.stringify({
    ...own,
    nodes: Object.fromEntries(names.map((name) => [name, { offline: !reachable.has(name) }])),
    instances: Object.fromEntries(
      snapshot.instances.map(({ name, primary, secondary }) => [
        name,
        { nodes: [primary, secondary].flatMap((n) => names[n] ?? []) },
      ]),
    ),
  });
}

function readable(cluster: string): RawSnapshot | undefined {
  try {
    return parseText(cluster, CLUSTER_FILE);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

const MESSAGE = z.object({
  nodes: z.record(z.string(), z.object({ offline: z.boolean(), drained: z.boolean().optional() })),
  instances: z.record(z.string(), z.object({ nodes: z.array(z.string()) })),
  request: z.object({ type: z.string(), name: z.string().optional() }).optional(),
});
const OPCODE = z.object({
  OP_ID: z.string(),
  instance_name: z.string(),
  remote_node: z.string().optional(),
  target_node: z.string().nullish(),
});
/** Moved, failed and jobs. */
const ANSWER = z.object({ result: z.tuple([z.unknown(), z.unknown(), z.array(z.array(OPCODE))]) });

/** Jobs that an answer asks for, each with the nodes of its instance; none where either cannot be read. */
function jobsAsked(message: string, stdout: string) {
  const cluster = MESSAGE.safeParse(jsonOf(message));
  const answer = ANSWER.safeParse(jsonOf(stdout));
  if (!cluster.success || !answer.success) return { nodes: {}, jobs: [] };
  const { nodes, instances } = cluster.data;
  const jobs = answer.data.result[2].map((job) => ({
    job,
    places: instances[job[0]?.instance_name ?? '']?.nodes ?? [],
  }));
  return { nodes, jobs };
}

/**
 * @param message the request as it was given to the program
 * @param stdout its answer; one without jobs asks for nothing
 */
export function asksUnreachable(message: string, stdout: string): boolean {
  const { nodes, jobs } = jobsAsked(message, stdout);
  const isDead = (name: string | undefined): boolean => name !== undefined && nodes[name]?.offline === true;
  return jobs.some(({ job, places }) => {
    let [primary, secondary] = places;
    return job.some(({ OP_ID, remote_node, target_node }) => {
      if (OP_ID === 'OP_INSTANCE_REPLACE_DISKS') {
        const copiesFromDead = isDead(primary);
        secondary = remote_node;
        return copiesFromDead;
      }
      if (target_node) return isDead(target_node);
      [primary, secondary] = [secondary, primary];
      return isDead(primary);
    });
  });
}

/**
 * Whether an answer copies disks from a primary that is only drained, as the secondary is offline. Stock
 * would fail over to the secondary first.
 */
export function copiesFromDrained(message: string, stdout: string): boolean {
  const { nodes, jobs } = jobsAsked(message, stdout);
  return jobs.some(({ job, places: [primary, secondary] }) => {
    const isCopy = job[0]?.OP_ID === 'OP_INSTANCE_REPLACE_DISKS';
    return isCopy && nodes[primary!]?.drained === true && nodes[secondary!]?.offline === true;
  });
}

const FAILED = z.object({
  result: z.tuple([z.unknown(), z.array(z.tuple([z.string(), z.string()]))]).rest(z.unknown()),
});
const REFUSED = z.object({ success: z.literal(false), info: z.string() });
const OUR_REASON =
  /^(?:Request failed: )?Node (\S+) is offline: its disks can be neither copied nor taken over$/;

/** Whether ours refuses to replace a secondary because the primary is offline, which it is. */
export function refusesUnreachable(message: string, ours: string): boolean {
  const cluster = MESSAGE.safeParse(jsonOf(message));
  const own = REFUSED.safeParse(jsonOf(ours));
  if (!cluster.success || !own.success || cluster.data.request?.type !== 'relocate') return false;
  const { nodes, instances, request } = cluster.data;
  const node = OUR_REASON.exec(own.data.info)?.[1];
  return node !== undefined && nodes[node]?.offline === true && instances[request.name!]?.nodes[0] === node;
}

/**
 * Whether two answers are the same but for reasons of instances that stay: ours says that a node of the
 * instance is offline, which it is, where stock names what it found in its way.
 */
export function explainsUnreachable(message: string, stock: string, ours: string): boolean {
  const cluster = MESSAGE.safeParse(jsonOf(message));
  const theirs = FAILED.safeParse(jsonOf(stock));
  const own = FAILED.safeParse(jsonOf(ours));
  if (!cluster.success || !theirs.success || !own.success) return false;
  const { nodes, instances } = cluster.data;
  const reasons = new Map(theirs.data.result[1]);
  let explained = stock;
  for (const [name, reason] of own.data.result[1]) {
    const node = OUR_REASON.exec(reason)?.[1];
    if (node === undefined || !nodes[node]?.offline || !instances[name]?.nodes.includes(node)) continue;
    explained = explained.replace(JSON.stringify([name, reasons.get(name)]), JSON.stringify([name, reason]));
  }
  return explained === ours;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
