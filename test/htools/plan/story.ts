/**
 * A cluster of four nodes with what most reports show: exclusion and location tags, a down and a forthcoming
 * instance, shared storage, an offline node, missing memory. Expected outputs in the tests are the stock
 * programs' own.
 */
import type { Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import {
  FAILOVER_AND_REPLACE,
  type Move,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../src/htools/model/moves/kinds.ts';
import { aCluster } from './cluster-builder.ts';

export const storyCluster = (): Snapshot =>
  aCluster({
    tags: ['htools:iextags:service', 'htools:nlocation:rack', 'htools:desiredlocation:rack'],
    nodes: [
      { tags: ['rack:a'], freeMemMib: 7900 },
      { tags: ['rack:a'] },
      { tags: ['rack:b'], cpuSpeed: 1.5, spindles: 2 },
      { isOffline: true },
    ],
    instances: [
      { memMib: 2048, tags: ['service:web'] },
      { memMib: 2048, tags: ['service:web'] },
      { memMib: 1024, tags: ['service:mail', 'rack:b'] },
      { memMib: 512, status: 'ADMIN_down', vcpus: 2, primary: 1, secondary: 0 },
      { diskTemplate: 'ext', diskMib: 10240, memMib: 2048, tags: ['rack:b'] },
      { primary: 3, secondary: 0, status: 'ERROR_nodeoffline', memMib: 768 },
      { primary: 1, secondary: 2, isForthcoming: true },
    ],
  });

/** The moves that stock hbal finds for it. */
export const STORY_MOVES: readonly Move[] = [
  { instance: 5, kind: REPLACE_PRIMARY, target: 2 },
  { instance: 0, kind: REPLACE_PRIMARY, target: 2 },
  { instance: 1, kind: FAILOVER_AND_REPLACE, target: 2 },
  { instance: 2, kind: REPLACE_SECONDARY, target: 2 },
  { instance: 3, kind: REPLACE_SECONDARY, target: 2 },
  { instance: 6, kind: FAILOVER_AND_REPLACE, target: 0 },
];

/** The scores that it prints: at the start, then after each of the moves. */
export const STORY_SCORES: readonly number[] = [
  37.40066009, 16.0306838, 9.14186846, 4.79905977, 3.78062841, 3.30288897, 3.24948016,
];
