/**
 * Storage columns of a text snapshot: behind an instance's columns its storage type and pool, behind a node's
 * the list of pools that it reaches.
 *
 * Stock readers ignore columns behind theirs, so what stands there may be somebody else's. It is ours as soon
 * as one line of the section names a storage type; from then on every line of the section must be right.
 */
import type { ProblemList } from '../../../kit/files/problem-list.ts';
import type { RawInstance, RawNode } from '../../cluster/snapshot.ts';
import { isImpossible } from '../../cluster/storage/pool-statements.ts';
import { parsePoolId, poolId, STORAGE_TYPES } from '../../cluster/tags/tags.ts';
import type { TextLine } from './text-sections.ts';

interface Noted {
  readonly position: number;
  readonly texts: readonly string[];
  readonly line: TextLine;
}

const REMEDY = 'write internal/NAME or external/NAME';

export class StorageColumns {
  private readonly nodes: Noted[] = [];
  private readonly instances: Noted[] = [];

  /** @param pools the column behind the node's own; undefined when the line has none. */
  noteNode(position: number, pools: string | undefined, line: TextLine): void {
    if (pools) this.nodes.push({ position, texts: pools.split(','), line });
  }

  /** @param texts the columns behind the instance's own: storage type, storage pool, anything. */
  noteInstance(position: number, texts: readonly string[], line: TextLine): void {
    if (texts[0] || texts[1]) this.instances.push({ position, texts, line });
  }

  /** Sets storagePools and storagePool where the columns are ours. */
  apply(nodes: RawNode[], instances: RawInstance[], problems: ProblemList): void {
    if (this.nodes.some((noted) => noted.texts.some((text) => parsePoolId(text) !== undefined))) {
      for (const noted of this.nodes) {
        const storagePools = noted.texts.map(parsePoolId);
        if (storagePools.every((pool) => pool !== undefined)) {
          nodes[noted.position] = { ...nodes[noted.position]!, storagePools };
        } else add(problems, noted, 'storage_pools', `lists something that is not a pool`);
      }
    }
    if (!this.instances.some((noted) => (STORAGE_TYPES as readonly string[]).includes(noted.texts[0]!)))
      return;
    for (const noted of this.instances) {
      const [type = '', name = ''] = noted.texts;
      const pool = poolId(type, name);
      const instance = instances[noted.position]!;
      if (pool === undefined) add(problems, noted, 'storage_pool', `'${type}' and '${name}' name no pool`);
      else if (isImpossible(instance.diskTemplate, pool))
        add(problems, noted, 'storage_pool', `${pool} is external, but the disk template is drbd`);
      else instances[noted.position] = { ...instance, storagePool: pool };
    }
  }
}

function add(problems: ProblemList, noted: Noted, field: string, message: string): void {
  const [name] = noted.line.text.split('|', 1);
  const value = noted.texts.join('|');
  problems.add({
    line: noted.line.number,
    field,
    value,
    problem: `'${name}': ${field}: ${message}`,
    remedy: REMEDY,
  });
}
