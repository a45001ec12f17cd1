/** `evenkeel/redundancy`: may a node fail? Stock's check, and the one that knows shared storage. */
export { type CapacityCheck, capacityCheck } from '../htools/model/redundancy/capacity-check.ts';
export {
  type N1NodeReport,
  type N1Report,
  type N1Restart,
  n1Report,
} from '../htools/model/redundancy/shared/n1-report.ts';
export {
  SharedStorageN1,
  type SharedStorageOptions,
} from '../htools/model/redundancy/shared/shared-storage.ts';
