/**
 * Whether an answer of hail asks Ganeti for what it cannot do: to copy disks from a node that is offline, or
 * to fail over to one. The stock program does so; ours leaves the instance where it is (docs/differences.md).
 */
import { z } from 'zod';

const MESSAGE = z.object({
  nodes: z.record(z.string(), z.object({ offline: z.boolean() })),
  instances: z.record(z.string(), z.object({ nodes: z.array(z.string()) })),
});
const OPCODE = z.object({
  OP_ID: z.string(),
  instance_name: z.string(),
  remote_node: z.string().optional(),
  target_node: z.string().nullish(),
});
/** Moved, failed and jobs. */
const ANSWER = z.object({ result: z.tuple([z.unknown(), z.unknown(), z.array(z.array(OPCODE))]) });

/**
 * @param message the request as it was given to the program
 * @param stdout its answer; one without jobs asks for nothing
 */
export function asksUnreachable(message: string, stdout: string): boolean {
  const cluster = MESSAGE.safeParse(jsonOf(message));
  const answer = ANSWER.safeParse(jsonOf(stdout));
  if (!cluster.success || !answer.success) return false;
  const { nodes, instances } = cluster.data;
  const isDead = (name: string | undefined): boolean => name !== undefined && nodes[name]?.offline === true;
  return answer.data.result[2].some((job) => {
    let [primary, secondary] = instances[job[0]?.instance_name ?? '']?.nodes ?? [];
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
