/** What is said of instances under which a script would take the disks away; loaded for these only. */
import { shorten } from '../../kit/printable.ts';
import { someOf } from '../../kit/text/words.ts';
import { isStray } from '../cluster/instance-status.ts';
import type { RawSnapshot } from '../cluster/snapshot.ts';

const SHOWN = 5;

export function strayNote({ instances }: RawSnapshot): string {
  const names = instances.filter(isStray).map(({ name }) => shorten(name));
  return `running on another node than their primary: ${someOf(names, SHOWN)}; run gnt-instance migrate --cleanup first, since a move may remove disks in use`;
}
