/**
 * The rules of placement, a row each: what a refusal counts as, how it is told, and what lifts it. Programs,
 * explanations and plans between groups read it from here; what a rule asks stands in model/rules/, and how
 * an engine comes to ask it in docs/how-to/extending.md. Source: docs/reference/rules.md.
 */
import {
  FAIL_CPU,
  FAIL_DISK,
  FAIL_INTERNAL,
  FAIL_MEM,
  FAIL_MIG,
  FAIL_N1,
  FAIL_SPINDLES,
  FAIL_TAGS,
  type FailCode,
  type FailModeName,
} from './refusal.ts';
import type { InstancePolicy, Node } from './snapshot.ts';

/** What a node, or a pool, may have too little of. */
export type Resource = 'memory' | 'disk' | 'cpus' | 'spindles' | 'pool';

/** How much of what a rule counts one unit of the resource brings. */
type Yield = (node: Node, policy: InstancePolicy) => number;

/** What lets an instance in that a rule refuses. */
type RuleLift =
  /** @param mustLeaveSome just as much as is needed is not enough */
  | { readonly more: Resource; readonly mustLeaveSome: boolean; readonly perUnit: Yield }
  /** A tag more on the node, or one less on the instance. */
  | { readonly tag: 'migration of node' | 'pool of node' | 'instance' };

interface RuleRow {
  /** The stock programs' failure; null = by the figure that was missed. */
  readonly code: FailCode | null;
  /** In words that stand before the node; the rule's name where it is left out. */
  readonly words?: string;
  /** Said of a group, ahead of the figures, where groups refuse by it. */
  readonly ofGroup?: string;
  /** Said of a node that an instance would have to leave by, where one can be in the way. */
  readonly inTheWay?: string;
  /** Says that it is broken, where it is looked for and mended. @param detail what of its tags is broken */
  readonly broken?: (who: string, where: string, detail: string | undefined) => string;
  /** In a list of rules and how often each refused; the rule's name where it is left out. */
  readonly short?: string;
  /** Left out where no change of the cluster does. */
  readonly lift?: RuleLift;
}

const more = (what: Resource, mustLeaveSome: boolean, perUnit: Yield = () => 1): RuleLift => ({
  more: what,
  mustLeaveSome,
  perUnit,
});

export const RULES = {
  memory: {
    code: FAIL_MEM,
    words: 'free memory',
    ofGroup: 'memory',
    short: 'memory',
    inTheWay: 'has too little free memory',
    lift: more('memory', true),
  },
  'n-plus-one': {
    code: FAIL_MEM,
    words: 'memory beside what is reserved for failovers',
    ofGroup: 'memory, besides what is kept for a failover',
    short: 'memory kept for failovers',
    broken: (who, where) =>
      who === ''
        ? `${where} has no memory left (N+1)`
        : `${where} could not start all that would fail over to it (N+1): secondary of ${who}`,
    lift: more('memory', true),
  },
  'failover-memory': {
    code: FAIL_MEM,
    words: 'memory to reserve for a failover',
    ofGroup: 'memory to reserve for a failover',
    short: 'memory to reserve for a failover',
    lift: more('memory', true),
  },
  disk: {
    code: FAIL_DISK,
    words: 'free disk',
    ofGroup: 'disk',
    short: 'disk',
    inTheWay: 'has too little free disk',
    lift: more('disk', true),
  },
  'disk-reserve': {
    code: FAIL_DISK,
    words: 'disk beside what --min-disk keeps free',
    ofGroup: 'disk above the reserve of --min-disk',
    short: 'disk reserve',
    lift: more('disk', false, ({ minFreeDiskRatio }) => 1 - minFreeDiskRatio),
  },
  'vcpu-ratio': {
    code: FAIL_CPU,
    words: 'virtual cpus',
    ofGroup: 'virtual cpus',
    short: 'virtual cpus',
    inTheWay: 'has too many virtual cpus',
    lift: more('cpus', false, ({ maxVcpuRatio }, policy) => maxVcpuRatio ?? policy.vcpuRatio),
  },
  spindles: {
    code: FAIL_SPINDLES,
    words: 'free spindles',
    ofGroup: 'spindles',
    short: 'spindles',
    inTheWay: 'has too few free spindles',
    lift: more('spindles', false),
  },
  'spindle-ratio': {
    code: FAIL_DISK,
    words: 'spindles by the policy',
    ofGroup: "spindle use within the policy's ratio",
    short: 'spindle ratio',
    lift: more('spindles', false, (_, policy) => policy.spindleRatio),
  },
  policy: { code: null, words: "the group's policy", ofGroup: 'policy', short: 'instance policy' },
  'pool-access': {
    code: FAIL_DISK,
    words: 'access to the storage pool',
    ofGroup: 'no online node reaches',
    short: 'no access to its storage',
    broken: (who, where) => `${who} is on ${where}, which does not reach its storage pool`,
    lift: { tag: 'pool of node' },
  },
  'pool-space': { code: FAIL_DISK, words: 'space in the storage pool', lift: more('pool', false) },
  'exclusion-tags': {
    code: FAIL_TAGS,
    words: 'exclusion tags',
    ofGroup: 'an instance with the same exclusion tag is there',
    short: 'exclusion tags',
    inTheWay: 'runs an instance with the same exclusion tag',
    broken: (who, where, tag) => `${who} share the tag ${tag} and the node ${where}`,
    lift: { tag: 'instance' },
  },
  'migration-tags': {
    code: FAIL_MIG,
    words: 'migration tags',
    ofGroup: 'migration tags do not let it in',
    short: 'migration tags',
    inTheWay: 'is barred by migration tags',
    lift: { tag: 'migration of node' },
  },
  together: {
    code: FAIL_TAGS,
    words: 'the set that it belongs to is elsewhere,',
    ofGroup: 'the rest of its set is on another node',
    short: 'together',
    inTheWay: 'is not where the rest of its set is',
    broken: (who, where, set) => `${who} belong together (${set}) and are on ${where}`,
    lift: { tag: 'instance' },
  },
  pinned: {
    code: FAIL_TAGS,
    words: 'pinned elsewhere,',
    ofGroup: 'it is pinned to other nodes',
    short: 'pinned elsewhere',
    inTheWay: 'is not among the nodes that it is pinned to',
    broken: (who, where, names) => `${who} is pinned to ${names} and is on ${where}`,
    lift: { tag: 'instance' },
  },
  'keep-off': {
    code: FAIL_TAGS,
    words: 'kept off',
    ofGroup: 'its tags keep it off',
    short: 'kept off',
    inTheWay: 'is one that its tags keep it off',
    broken: (who, where, names) => `${who} is to keep off ${names} and is on ${where}`,
    lift: { tag: 'instance' },
  },
  'hands-off': {
    code: FAIL_TAGS,
    words: 'left alone:',
    ofGroup: 'its nodes are to be left alone',
    short: 'left alone',
    inTheWay: 'is to be left alone',
  },
  secondary: { code: FAIL_DISK, words: 'a template with a secondary' },
  'same-node': { code: FAIL_INTERNAL },
  'global-n-plus-one': { code: FAIL_N1 },
  'n1-guard': { code: FAIL_N1, words: 'N+1 with shared storage, kept by --n1-guard' },
} as const satisfies Record<string, RuleRow>;

export type RuleName = keyof typeof RULES;

/** Rules whose rows say something there. */
export type RulesWith<Field extends keyof RuleRow> = {
  [R in RuleName]: (typeof RULES)[R] extends Record<Field, unknown> ? R : never;
}[RuleName];

const BY_NAME: Readonly<Record<string, RuleRow>> = RULES;

/** The row of a rule in a document; undefined for what is none of these, as the state of a group. */
export const ruleOf = (name: string): RuleRow | undefined => BY_NAME[name];

/** Whether just as much as is needed is not enough. */
export const mustLeaveSome = (name: RuleName): boolean => {
  const lift = BY_NAME[name]!.lift;
  return lift !== undefined && 'more' in lift && lift.mustLeaveSome;
};

/** One refusal with its figures, for people and for `--explain`. */
export interface Refusal {
  readonly mode: FailModeName;
  readonly rule: RuleName;
  /** Position of the node in the snapshot; -1 when no node is concerned. */
  readonly node: number;
  /** What was needed and what there was, in the rule's unit (MiB, vcpus, ratio...). */
  readonly needed?: number | undefined;
  readonly available?: number | undefined;
  readonly unit?: string | undefined;
}
