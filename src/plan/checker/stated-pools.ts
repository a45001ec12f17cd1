/** Storage pools of a plan's start. */
import { saysAnything } from '../../cluster/pool-statements.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { describeStorage, type Storage } from '../../cluster/storage.ts';

/** Undefined when the start says nothing about storage. */
export const statedPools = (start: Snapshot): Storage | undefined =>
  saysAnything(start) ? describeStorage(start) : undefined;
