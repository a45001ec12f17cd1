/** Figures of hredist, hcompress and hspread. */
import { type Family, figures, figuresOf } from '../../../../kit/report/prometheus.ts';
import type { ProgramDocument } from '../../../results/all.ts';
import type { GroupAnswers, RelocationCosts } from '../../../results/groups.ts';
import { executionFamilies } from './execution.ts';

/** Of a plan and of how it was carried out. */
// biome-ignore format: a table
const planFamilies = (
  document: Parameters<typeof executionFamilies>[0] & {
    readonly cost?: RelocationCosts | undefined;
  },
): readonly Family[] => [
  ...figures(document.program, document,
    ['moves', 'Instances that the plan moves.', ({ cost }) => cost?.instances],
    ['copied_bytes', 'Disk data that the plan copies.', ({ cost }) => cost?.copiedMib],
    ['migrations', 'Live migrations of the plan.', ({ cost }) => cost?.migrations],
    ['failovers', 'Failovers of the plan.', ({ cost }) => cost?.failovers],
    ['plan_seconds', 'How long the plan takes by the clock.', ({ cost }) => cost?.seconds],
  ),
  ...executionFamilies(document),
];

const STATES = ['healthy', 'weak', 'unhealthy'] as const;

const ofGroup = ({ name }: { readonly name: string }) => ({ group: name });

// biome-ignore format: a table
const stateFamily = (
  program: string,
  groups: readonly { readonly name: string; readonly state: (typeof STATES)[number] }[],
): readonly Family[] =>
  figuresOf(program, groups, ofGroup,
    ['group_state', 'State of the group: 1 for the one that it is in.',
      (one) => ({ state: Object.fromEntries(STATES.map((state) => [state, state === one.state])) })]);

/** Which groups would take instances that were asked about. */
// biome-ignore format: a table
const answerFamilies = ({ program, ...asked }: GroupAnswers): readonly Family[] => [
  ...figuresOf(program, asked.try ?? [],
    ({ instance, to }) => ({ instance, group: to.group, primary: to.primary }),
    ['try_allowed', 'Whether the move that is tried is allowed.', ({ isAllowed }) => isAllowed]),
  ...figuresOf(program, asked.why ?? [], ({ instance }) => ({ instance }),
    ['open_group', 'Groups that would take the instance.',
      ({ instance, open }) => open.map(({ group }) => [{ group, instance }, 1] as const)],
    ['open_groups', 'How many groups would take the instance.', ({ open }) => open.length],
  ),
];

// biome-ignore format: a table
export function hredistFamilies(document: ProgramDocument<'hredist'>): readonly Family[] {
  if ('why' in document || 'try' in document) return answerFamilies(document);
  if (!('healings' in document)) return planFamilies(document);
  return [
    ...stateFamily('hredist', document.groups),
    ...figuresOf('hredist', document.groups, ofGroup,
      ['dead_nodes', 'Offline nodes with instances on them.', ({ deadNodes }) => deadNodes.length]),
    ...figuresOf('hredist', document.healings, ({ group }) => ({ group }),
      ['healed', 'Whether the plan heals the group.', ({ isHealed }) => isHealed],
      ['stranded_instances', 'Instances that find no home.', ({ stranded }) => stranded.length],
    ),
    ...planFamilies(document),
  ];
}

// biome-ignore format: a table
export function hcompressFamilies(document: ProgramDocument<'hcompress'>): readonly Family[] {
  if ('summary' in document)
    return figures('hcompress', document,
      ['groups', 'Groups that were looked at.', ({ groups }) => groups],
      ['reclaimable', 'Groups that could be given back.',
        ({ reclaimable }) => reclaimable.map(({ group }) => [{ group }, 1] as const)],
      ['reclaimable_groups', 'How many groups could be given back.', ({ reclaimable }) => reclaimable.length],
    );
  if ('why' in document || 'try' in document) return answerFamilies(document);
  if (!('groups' in document)) return planFamilies(document);
  const { groups } = document;
  return [
    ...figures('hcompress', groups,
      ['groups', 'Groups that were looked at.', ({ length }) => length],
      ['reclaimable_groups', 'How many groups could be given back.',
        (all) => all.filter(({ isReclaimable }) => isReclaimable).length],
    ),
    ...figuresOf('hcompress', groups, ofGroup,
      ['reclaimable', 'Whether the group could be given back.', ({ isReclaimable }) => isReclaimable]),
    ...stateFamily('hcompress', groups),
    ...figuresOf('hcompress', groups, ofGroup,
      ['memory_bytes', 'Memory of the group by kind.',
        ({ total, free }) => ({ kind: { total: total.memMib, free: free.memMib } })],
      ['disk_bytes', 'Disk of the group by kind.',
        ({ total, free }) => ({ kind: { total: total.diskMib, free: free.diskMib } })],
      ['free_ratio', 'Share of the group that is free.', ({ freeShare }) => freeShare],
    ),
    ...planFamilies(document),
  ];
}

// biome-ignore format: a table
export function hspreadFamilies(document: ProgramDocument<'hspread'>): readonly Family[] {
  if ('why' in document || 'try' in document) return answerFamilies(document);
  if (!('before' in document)) return planFamilies(document);
  const pictures = [{ when: 'initial', ...document.before }, { when: 'final', ...document.after }];
  return [
    ...figuresOf('hspread', pictures, ({ when }) => ({ when }),
      ['spread', 'How unevenly the load lies; 0 is even.', ({ spread }) => spread],
      ['load_ratio', 'Load of the group; 1 is as the whole cluster.', ({ when, groups }) =>
        groups.flatMap(({ name, load }) =>
          Object.entries(load).map(([resource, value]) => [{ group: name, resource, when }, value] as const))],
      ['outlier_groups', 'Groups that stand out.',
        ({ groups }) => groups.filter(({ above }) => above.length > 0).length],
    ),
    ...planFamilies(document),
  ];
}
