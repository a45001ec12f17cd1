/** What the command line and the policy say of the instances that hspace fills with, but their size. */
import { ExecutionError } from '../../../kit/faults.ts';
import type { Instance } from '../../cluster/snapshot.ts';
import { contradictionOf } from '../../cluster/storage/pool-statements.ts';
import { parsePoolId } from '../../cluster/tags/tags.ts';
import type { DiskTemplate } from '../../cluster/templates.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { type Size, sizedInstance } from '../../planners/allocate/fill/sized-instance.ts';

const NOTHING: Size = { memMib: 0, diskMib: 0, cpuCount: 0, spindles: 0 };

/**
 * Makes instances of any size.
 * @param usualSpindleUse what the policy says
 * @throws ExecutionError when the storage pool asked for is none, or does not go with the template
 */
export function instanceMaker(
  { storagePool, spindleUse }: ProgramOptions<'hspace'>,
  diskTemplate: DiskTemplate,
  usualSpindleUse: number,
): (size: Size) => Instance {
  const pool = storagePool === undefined ? undefined : parsePoolId(storagePool);
  if (storagePool !== undefined && pool === undefined)
    throw new ExecutionError(
      `'${storagePool}' names no storage pool`,
      'write the type and the name, as in external/nas',
    );
  const make = (size: Size): Instance => ({
    ...sizedInstance(size, diskTemplate, spindleUse ?? usualSpindleUse),
    ...(pool !== undefined && { storagePool: pool }),
  });
  const problem = contradictionOf(make(NOTHING));
  if (problem !== undefined)
    throw new ExecutionError(
      `a new instance ${problem}`,
      'choose another template with --disk-template, or another pool',
    );
  return make;
}
