/** `evenkeel/claims`: the ledger of who was promised what, in a file or in PostgreSQL. */
export { audit } from '../wings/claims/audit/audit.ts';
export { type Finding, isWarning } from '../wings/claims/audit/findings.ts';
export { removeInventories, setInventories } from '../wings/claims/changes/inventory-changes.ts';
export { createProvider, removeProvider } from '../wings/claims/changes/provider-changes.ts';
export { type Difference, differencesOf } from '../wings/claims/cluster/difference.ts';
export { type FromSnapshotOptions, imageOfSnapshot } from '../wings/claims/cluster/from-snapshot.ts';
export { type ImportMode, importCluster } from '../wings/claims/cluster/import.ts';
export { readImage } from '../wings/claims/cluster/read-image.ts';
export { type ClaimOutcome, claim } from '../wings/claims/ledger/claim.ts';
export type { Amount, ClaimRequest, ConsumerClaim } from '../wings/claims/ledger/claim-request.ts';
export { expireDue } from '../wings/claims/ledger/expiry.ts';
export {
  confirmClaims,
  type HandOverRefusal,
  type Move,
  moveClaims,
} from '../wings/claims/ledger/hand-over.ts';
export {
  type Author,
  change,
  initLedger,
  type Ledger,
  openLedger,
  type Surroundings,
} from '../wings/claims/ledger/ledger.ts';
export type { StepMode } from '../wings/claims/model/admission.ts';
export { capacityOf, INVENTORY_DEFAULTS, type Inventory } from '../wings/claims/model/inventory.ts';
export type { ClaimConflict, ClaimRefusal, Outcome } from '../wings/claims/model/refusal.ts';
export {
  type ConsumerFacts,
  consumerFacts,
  type ProviderFacts,
  providerFacts,
} from '../wings/claims/usage/show.ts';
export { type UsageBy, type UsageRow, usage } from '../wings/claims/usage/usage.ts';
