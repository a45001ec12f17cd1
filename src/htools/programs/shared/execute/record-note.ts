import type { Fault } from '../../../../kit/faults.ts';

/** Ends the record of the planning: with why it came to nothing, or without a trace. */
type EndPlanning = (why?: Error & Pick<Fault, 'parts'>) => void;

/** The record of this run while it plans, and what the cluster calls itself; empty = not known. */
export const planningRecord: { cluster: string; end: EndPlanning } = { cluster: '', end: () => {} };
