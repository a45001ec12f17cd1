/** Saving snapshots for `-S`, and saying so. */
import { ExecutionError } from '../../../../kit/faults.ts';
import { statusOf } from '../../../../kit/files/read-input.ts';
import { tallied } from '../../../../kit/grouped.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { warning } from '../../../../kit/report/tone.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { saveSnapshot } from '../../../sources/text/text-writer.ts';

/** Saves a state as `PREFIX.SUFFIX` for `-S PREFIX`. @param what state it is, for the note on stderr */
export function saveState(
  prefix: string | undefined,
  suffix: string,
  what: string,
  snapshot: () => Snapshot,
): void {
  if (prefix === undefined) return;
  refuseDevice(prefix);
  const file = `${prefix}.${suffix}`;
  const saved = snapshot();
  saveSnapshot(saved, file);
  printErr(`The cluster state ${what} has been written to file '${file}'\n`);
  const doubled = doubledName(saved);
  if (doubled !== undefined)
    printErr(warning(`'${file}' cannot be read again, for ${doubled}: the file tells them apart by name`));
}

/** States go beside what is named: beside a device they would be files in /dev. @throws ExecutionError */
function refuseDevice(prefix: string): void {
  // Where nothing is there, or nothing can be, who writes will be told.
  const known = statusOf(prefix);
  if (!known || known.isFile() || known.isDirectory()) return;
  throw new ExecutionError(
    `--save ${prefix}: it is no ordinary file, and states are not written to it but beside it`,
    'give the beginning of names of files in a folder of your own',
  );
}

/** Groups or nodes of one name, in words: other formats tell them apart by other means. */
function doubledName({ groups, nodes }: Snapshot): string | undefined {
  for (const [what, items] of Object.entries({ groups, nodes })) {
    const names = [...tallied(items.map(({ name }) => name))];
    const doubled = names.find(([, times]) => times > 1);
    if (doubled) return `two ${what} are called '${doubled[0]}'`;
  }
  return undefined;
}
