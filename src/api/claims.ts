/** `evenkeel-ledger`: the ledger of who was promised what, in a file or in PostgreSQL. */
export { audit, type Finding, isWarning } from '../ledger/claims/audit/audit.ts';
export { removeInventories, setInventories } from '../ledger/claims/changes/inventory-changes.ts';
export { createProvider, removeProvider } from '../ledger/claims/changes/provider-changes.ts';
export { type ClaimOutcome, claim, expireDue } from '../ledger/claims/claim/claim.ts';
export type { Amount, ClaimRequest, ConsumerClaim } from '../ledger/claims/claim/claim-request.ts';
export {
  type HandOverRefusal,
  type Move,
  type Moved,
  moveClaims,
} from '../ledger/claims/claim/hand-over.ts';
export {
  type Author,
  change,
  initLedger,
  type Ledger,
  openLedger,
  type Surroundings,
} from '../ledger/claims/claim/ledger.ts';
export {
  confirmClaims,
  type RenewalRefusal,
  type Renewed,
  renewClaims,
} from '../ledger/claims/claim/renewal.ts';
export { type Difference, differencesOf } from '../ledger/claims/cluster/difference.ts';
export { type FromSnapshotOptions, imageOfSnapshot } from '../ledger/claims/cluster/from-snapshot.ts';
export { type ImportMode, importCluster } from '../ledger/claims/cluster/import.ts';
export { readImage } from '../ledger/claims/cluster/read-image.ts';
export type { StepMode } from '../ledger/claims/model/inventory.ts';
export { capacityOf, INVENTORY_DEFAULTS, type Inventory } from '../ledger/claims/model/inventory.ts';
export type { ClaimConflict, ClaimRefusal, Outcome } from '../ledger/claims/model/refusal.ts';
export {
  type ConsumerFacts,
  consumerFacts,
  type ProviderFacts,
  providerFacts,
} from '../ledger/claims/usage/show.ts';
export { type UsageBy, type UsageRow, usage } from '../ledger/claims/usage/usage.ts';
