/** Which mirrored disks are not whole. Pure. Source: the result of Ganeti's OP_INSTANCE_QUERY_DATA. */
import * as z from 'zod/mini';
import type { Opcode } from '../../plan/opcodes.ts';

/** Only the nodes know how their disks are: they are asked by a job. */
export const lookAtDisks = (instances: readonly string[]): Opcode => ({
  OP_ID: 'OP_INSTANCE_QUERY_DATA',
  instances,
  static: false,
  use_locking: true,
});

/** What one side tells: path, major, minor, share and time of a synchronization, whether degraded. */
const SIDE = z.nullable(
  z.tuple([z.unknown(), z.unknown(), z.unknown(), z.unknown(), z.unknown(), z.unknown()], z.unknown()),
);
const INSTANCES = z.record(
  z.string(),
  z.object({ disks: z.array(z.object({ pstatus: SIDE, sstatus: SIDE })) }),
);
const ANSWER = z.tuple([z.tuple([z.tuple([INSTANCES])])]);

const isDegraded = (side: z.output<typeof SIDE>): boolean => side?.[5] === true;

/**
 * Instances with a disk of which one side is missing, or behind the other.
 * @param result the answer to QueryJobs about the job that looked, with RESULT_FIELDS
 * @returns undefined when the job did not tell
 */
export function degradedIn(result: unknown): readonly string[] | undefined {
  const answer = z.safeParse(ANSWER, result);
  if (!answer.success) return undefined;
  return Object.entries(answer.data[0][0][0]).flatMap(([name, { disks }]) =>
    disks.some(({ pstatus, sstatus }) => isDegraded(pstatus) || isDegraded(sstatus)) ? [name] : [],
  );
}
