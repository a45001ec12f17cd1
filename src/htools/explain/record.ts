/** What an explanation says: data with names, by the schemas. JSON is it; text and HTML are made of it. */
import type { DocumentOf } from '../../kit/results/members.ts';
import type { capacityLift, obstacle } from '../results/hspace.ts';
import type * as D from '../results/parts/explanation.ts';
import type * as R from '../results/parts/relocations.ts';

export type NamedPlacement = DocumentOf<typeof D.place>;
export type MetricChange = DocumentOf<typeof D.metricChange>;
export type RuleRefusal = DocumentOf<typeof D.refusal>;
export type Candidate = DocumentOf<typeof D.candidate>;
export type RefusedCandidate = DocumentOf<typeof D.refusedCandidate>;
export type PlanExplanation = DocumentOf<typeof D.planExplanation>;
export type StepExplanation = PlanExplanation['steps'][number];
export type Hold = DocumentOf<typeof D.hold>;
export type WhyExplanation = DocumentOf<typeof D.why>;
export type Option = WhyExplanation['options'][number];
export type TryExplanation = DocumentOf<typeof D.tried>;
export type MendingFacts = DocumentOf<typeof D.mending>;
export type BrokenRuleFacts = MendingFacts['before'][number];
export type CapacityObstacle = DocumentOf<typeof obstacle>;
export type CapacityLift = DocumentOf<typeof capacityLift>;
export type LintFinding = DocumentOf<typeof D.lintFindings>[number];
type WhatIf = DocumentOf<typeof D.whatIf>;
export type GroupDifference = NonNullable<WhatIf['groups']>[number];
export type GroupFigures = NonNullable<GroupDifference['before']>;
/** With `--diff`. */
export type Difference = WhatIf & { readonly groups: readonly GroupDifference[] };

/** Between groups, what becomes of one group's score; its metrics the largest gain first. */
export type GroupChange = DocumentOf<typeof R.groupChange>;
export type GroupRefusal = DocumentOf<typeof R.groupRefusal>;
export type RelocationsExplanation = DocumentOf<typeof R.relocationsExplanation>;
export type RelocationStep = RelocationsExplanation['steps'][number];
export type RelocationTry = DocumentOf<typeof R.relocationTry>;
