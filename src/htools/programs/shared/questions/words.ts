/** How every program says a refusal: rule, node, role, amounts; and codes in words, to stand beside them. */

import { METRIC_TABLE, type MetricName } from '../../../cluster/metric-table.ts';
import type { FailModeName } from '../../../cluster/refusal.ts';
import { ruleOf } from '../../../cluster/rules.ts';
import type { Hold, RuleRefusal } from '../../../results/parts/explanation.ts';

/** What keeps an instance that nobody chose to move. */
export const LEFT_OUT_BY =
  '--select-instances, --exclude-instances, --let-rest, htools:hands-off, its storage or its two groups keep it';

const HOLD_WORDS: Readonly<Record<string, string>> = {
  template: 'is not moved: its disk template does not allow it',
  'not-auto-balanced': 'is not moved: auto_balance is off',
  'left-out': `is not moved: ${LEFT_OUT_BY}`,
  'no-secondary': 'is not moved: it has no secondary that could take over',
  'hands-off': 'is not moved: it is to be left alone (tag htools:hands-off)',
  nointergroup: 'is not moved out of its group: a tag htools:nointergroup keeps it there',
  'not-mirrored': 'is not moved: its disks are only on its node',
  forthcoming: 'is not moved: it is reserved but not yet created',
  'both-offline': 'is not moved: both its nodes are offline, so nobody has its data',
  options: 'is not moved: the options allow no move of it',
  sticky: 'is not moved: it is sticky (htools:sticky), and leaves only offline nodes and broken rules',
  'on-no-offline-node': 'is not moved: --evac-mode takes instances off offline nodes only',
};

export const ruleWords = (rule: string): string => ruleOf(rule)?.words ?? rule;
export const holdWords = ({ rule }: Hold): string => HOLD_WORDS[rule] ?? rule;

const CENTS = 100;
const round = (figure: number): string => String(Math.round(figure * CENTS) / CENTS);

/** `1 spindle`, `2 spindles`, `1024 MiB`. @param text the amount as it is shown */
export const inUnits = (amount: number, unit: string, text = round(amount)): string =>
  `${text} ${amount === 1 ? unit.replace(/s$/, '') : unit}`;

/** How amounts are said: in full for programs, short for pages. */
export type AmountWords = (amount: number, unit: string) => string;

/** `free memory on node4 as primary: 2048 MiB needed, 1000 there`. */
export function refusalWords(
  { rule, node, role, needed, available, unit, detail }: Omit<RuleRefusal, 'mode'>,
  words?: AmountWords,
): string {
  const about = detail === undefined ? '' : ` (${detail})`;
  const there = Math.max(0, available ?? 0);
  const figures =
    needed === undefined
      ? ''
      : words
        ? `: ${words(needed, unit!)} needed, ${words(there, unit!)} there`
        : `: ${inUnits(needed, unit!)} needed, ${round(there)} there`;
  return `${ruleWords(rule)}${about} on ${node} as ${role}${figures}`;
}

/** `--what-if` words, ready to be copied. */
export const liftWords = (lift: readonly string[] | null): string =>
  lift === null ? 'no change of the cluster alone lifts it' : `lifted by: ${lift.join('; ')}`;

const FAIL_WORDS: Readonly<Record<FailModeName, string>> = {
  FailMem: 'memory',
  FailDisk: 'disk',
  FailCPU: 'virtual cpus',
  FailN1: 'memory for N+1',
  FailTags: 'exclusion tags',
  FailMig: 'migration tags',
  FailDiskCount: 'number of disks',
  FailSpindles: 'spindles',
  FailInternal: 'an error of this program',
};

/** @param code of the metric, as documents have it */
export const metricWords = (code: string): string => METRIC_TABLE[code as MetricName]?.words ?? code;

/** @param code such as `FailMem` */
export const failWords = (code: string): string => FAIL_WORDS[code as FailModeName] ?? code;

/** Not whether it fails over or migrates: that is as it runs when its turn comes, and the commands say. */
const STEP_WORDS: Readonly<Record<string, string>> = { f: 'swap nodes', fa: 'move to', r: 'copy to' };

/** `f r:node10 f` as `swap nodes, copy to node10, swap nodes`. */
export const moveWords = (notation: string): string =>
  notation
    .split(' ')
    .map((step) => {
      const at = step.indexOf(':');
      return at < 0 ? (STEP_WORDS[step] ?? step) : `${STEP_WORDS[step.slice(0, at)]} ${step.slice(at + 1)}`;
    })
    .join(', ');
