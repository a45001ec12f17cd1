/** Thread that helps scanning candidates; see balance/threads/parallel-scan.ts. */
import type { BoundArrays } from '../planners/balance/bounds/score-bounds.ts';
import type { ScanData } from '../planners/balance/scan/scan-data.ts';
import { helpScanning, type ParallelRound } from '../planners/balance/threads/parallel-scan.ts';

export interface ScanTask {
  readonly data: ScanData;
  readonly bounds: BoundArrays;
  readonly round: ParallelRound;
  readonly helper: number;
}

export default ({ data, bounds, round, helper }: ScanTask): void => helpScanning(data, bounds, round, helper);
