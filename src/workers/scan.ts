/** Thread that helps scanning candidates; see balance/parallel-scan.ts. */
import { helpScanning, type ParallelRound } from '../balance/parallel-scan.ts';
import type { ScanData } from '../balance/scan-data.ts';

export interface ScanTask {
  readonly data: ScanData;
  readonly round: ParallelRound;
  readonly helper: number;
}

export default ({ data, round, helper }: ScanTask): void => helpScanning(data, round, helper);
