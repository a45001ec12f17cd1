/**
 * Head room: what every node, or one, keeps free whatever is planned. Memory counts as used in rules and
 * scores, but stays free in what is shown and saved; disk is the share that `--min-disk` keeps.
 */
import type { InputProblem } from '../../../kit/faults.ts';
import { parseSize } from '../../../kit/units.ts';
import type { RawNode } from '../snapshot.ts';
import type { Draft } from './draft.ts';
import type { Complain, EditLine } from './edit-line.ts';

const PERCENT = 100;
const RESOURCES = ['memory', 'disk'];

/** A share of what a node has, or an amount. */
type Quantity = { readonly share: number } | { readonly mib: number };

interface Reserve {
  readonly memory?: Quantity | undefined;
  readonly disk?: Quantity | undefined;
}

function quantityOf(text: string): Quantity | undefined {
  const percent = /^(\d*\.?\d+)%$/.exec(text);
  if (percent) {
    const share = Number(percent[1]) / PERCENT;
    return share < 1 ? { share } : undefined;
  }
  const size = parseSize(text);
  return 'mib' in size && /^\d/.test(text) ? size : undefined;
}

/** Reads settings such as `memory=10%` and `disk=50g`; complains of what it cannot read. */
function reserveOf(settings: Iterable<readonly [string, string]>, complain: Complain): Reserve | undefined {
  const reserve: { memory?: Quantity; disk?: Quantity } = {};
  let isRead = true;
  for (const [field, text] of settings) {
    const quantity = RESOURCES.includes(field) ? quantityOf(text) : undefined;
    if (quantity) reserve[field as keyof Reserve] = quantity;
    else {
      isRead = false;
      const problem = RESOURCES.includes(field) ? 'is no head room' : 'is nothing that a node keeps';
      complain(field, text, problem, 'write memory=10%, disk=5%, or sizes such as memory=4g');
    }
  }
  return isRead ? reserve : undefined;
}

/** Reads `memory=10%,disk=5%`; the problems where it is not that. */
export function parseReserve(text: string): {
  readonly reserve?: Reserve;
  readonly problems: readonly InputProblem[];
} {
  const problems: InputProblem[] = [];
  const settings = text.split(',').map((part): readonly [string, string] => {
    const at = part.indexOf('=');
    return at < 0 ? [part.trim(), ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  const reserve = reserveOf(settings, (field, value, problem, remedy) => {
    problems.push({ field, value, problem, remedy });
    return undefined;
  });
  return reserve ? { reserve, problems } : { problems };
}

/** The node with the head room; of two the larger one counts. */
export function withReserve<N extends RawNode>(node: N, { memory, disk }: Reserve): N {
  const memMib =
    memory === undefined ? 0 : 'mib' in memory ? memory.mib : Math.ceil(memory.share * node.totalMemMib);
  const total = Math.max(1, node.totalDiskMib);
  const diskShare = disk === undefined ? 0 : 'share' in disk ? disk.share : Math.min(1, disk.mib / total);
  const headRoomMib = Math.max(node.headRoomMib ?? 0, memMib);
  return {
    ...node,
    ...(headRoomMib > 0 && { headRoomMib }),
    minFreeDiskRatio: Math.max(node.minFreeDiskRatio ?? 0, diskShare),
  };
}

export function reserveNode(draft: Draft, edit: EditLine): undefined {
  const at = draft.node(edit.names[0]!, 'name', edit);
  const reserve = reserveOf(edit.settings, edit.complain);
  if (at !== undefined && reserve) draft.nodes[at] = withReserve(draft.nodes[at]!, reserve);
}
