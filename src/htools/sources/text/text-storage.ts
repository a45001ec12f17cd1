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

/** What stands behind the own columns of a line: of a node its pools, of an instance type and pool. */
export interface StorageColumns {
  /** Of the node or instance. */
  readonly position: number;
  readonly texts: readonly string[];
  readonly line: TextLine;
}

const REMEDY = 'write internal/NAME or external/NAME';

/** Sets the nodes' storagePools where their columns are ours. */
export function setNodePools(nodes: RawNode[], all: readonly StorageColumns[], problems: ProblemList): void {
  if (!all.some(({ texts }) => texts.some((text) => parsePoolId(text) !== undefined))) return;
  for (const columns of all) {
    const storagePools = columns.texts.map(parsePoolId);
    if (storagePools.every((pool) => pool !== undefined))
      nodes[columns.position] = { ...nodes[columns.position]!, storagePools };
    else add(problems, columns, 'storage_pools', 'lists something that is not a pool');
  }
}

export function setInstancePools(
  instances: RawInstance[],
  all: readonly StorageColumns[],
  problems: ProblemList,
): void {
  if (!all.some(({ texts }) => (STORAGE_TYPES as readonly string[]).includes(texts[0]!))) return;
  for (const columns of all) {
    const [type = '', name = ''] = columns.texts;
    const pool = poolId(type, name);
    const instance = instances[columns.position]!;
    if (pool === undefined) add(problems, columns, 'storage_pool', `'${type}' and '${name}' name no pool`);
    else if (isImpossible(instance.diskTemplate, pool))
      add(problems, columns, 'storage_pool', `${pool} is external, but the disk template is drbd`);
    else instances[columns.position] = { ...instance, storagePool: pool };
  }
}

function add(problems: ProblemList, { texts, line }: StorageColumns, field: string, message: string): void {
  const [name] = line.text.split('|', 1);
  const value = texts.join('|');
  problems.add({
    line: line.number,
    field,
    value,
    problem: `'${name}': ${field}: ${message}`,
    remedy: REMEDY,
  });
}
