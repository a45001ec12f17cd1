/** Figures of hredist, hcompress and hspread. */

import type { Family } from '../../../../kit/report/prometheus.ts';
import type { DeepReadonly, DocumentOf } from '../../../../kit/results/members.ts';
import { bytes, each, family, sample } from '../../../../kit/results/samples.ts';
import type { GroupAnswers, hcompress, hredist, hspread, relocationCost } from '../../../results/groups.ts';
import { executionFamilies } from './execution.ts';

const costFamilies = (
  program: string,
  cost: DocumentOf<typeof relocationCost> | undefined,
): readonly Family[] =>
  cost === undefined
    ? []
    : [
        family(`${program}_moves`, 'Instances that the plan moves.', sample(cost.instances)),
        family(`${program}_copied_bytes`, 'Disk data that the plan copies.', bytes(cost.copiedMib)),
        family(`${program}_migrations`, 'Live migrations of the plan.', sample(cost.migrations)),
        family(`${program}_failovers`, 'Failovers of the plan.', sample(cost.failovers)),
        family(
          `${program}_plan_seconds`,
          'How long the plan takes, with data transfers alone counted.',
          sample(cost.seconds),
        ),
      ];

const STATES = ['healthy', 'weak', 'unhealthy'] as const;

const stateFamily = (
  program: string,
  groups: readonly { readonly name: string; readonly state: (typeof STATES)[number] }[],
): Family =>
  each(`${program}_group_state`, 'State of the group: 1 for the one that it is in.', groups, (group) =>
    STATES.map((state) => sample(state === group.state, { group: group.name, state })),
  );

/** Which groups would take instances that were asked about. */
const answerFamilies = ({
  program,
  why = [],
  try: tried = [],
}: DeepReadonly<GroupAnswers>): readonly Family[] => [
  each(`${program}_try_allowed`, 'Whether the move that is tried is allowed.', tried, (one) =>
    sample(one.isAllowed, { instance: one.instance, group: one.to.group, primary: one.to.primary }),
  ),
  each(`${program}_open_group`, 'Groups that would take the instance.', why, ({ instance, open }) =>
    open.map(({ group }) => sample(1, { group, instance })),
  ),
  each(`${program}_open_groups`, 'How many groups would take the instance.', why, ({ instance, open }) =>
    sample(open.length, { instance }),
  ),
];

export function hredistFamilies(document: DocumentOf<typeof hredist>): readonly Family[] {
  if ('why' in document || 'try' in document) return answerFamilies(document);
  const execution = executionFamilies('hredist', 'execution' in document ? document.execution : undefined);
  if (!('healings' in document)) return execution;
  return [
    stateFamily('hredist', document.groups),
    each('hredist_dead_nodes', 'Offline nodes with instances on them.', document.groups, (one) =>
      sample(one.deadNodes.length, { group: one.name }),
    ),
    each('hredist_healed', 'Whether the plan heals the group.', document.healings, (one) =>
      sample(one.isHealed, { group: one.group }),
    ),
    each('hredist_stranded_instances', 'Instances that find no home.', document.healings, (one) =>
      sample(one.stranded.length, { group: one.group }),
    ),
    ...costFamilies('hredist', document.cost),
    ...execution,
  ];
}

export function hcompressFamilies(document: DocumentOf<typeof hcompress>): readonly Family[] {
  if ('summary' in document)
    return [
      family('hcompress_groups', 'Groups that were looked at.', sample(document.groups)),
      each('hcompress_reclaimable', 'Groups that could be given back.', document.reclaimable, ({ group }) =>
        sample(1, { group }),
      ),
      family(
        'hcompress_reclaimable_groups',
        'How many groups could be given back.',
        sample(document.reclaimable.length),
      ),
    ];
  if ('why' in document || 'try' in document) return answerFamilies(document);
  const execution = executionFamilies('hcompress', 'execution' in document ? document.execution : undefined);
  if (!('groups' in document)) return execution;
  const { groups } = document;
  return [
    family('hcompress_groups', 'Groups that were looked at.', sample(groups.length)),
    family(
      'hcompress_reclaimable_groups',
      'How many groups could be given back.',
      sample(groups.filter(({ isReclaimable }) => isReclaimable).length),
    ),
    each('hcompress_reclaimable', 'Whether the group could be given back.', groups, (one) =>
      sample(one.isReclaimable, { group: one.name }),
    ),
    stateFamily('hcompress', groups),
    each('hcompress_memory_bytes', 'Memory of the group by kind.', groups, (one) => [
      bytes(one.total.memMib, { group: one.name, kind: 'total' }),
      bytes(one.free.memMib, { group: one.name, kind: 'free' }),
    ]),
    each('hcompress_disk_bytes', 'Disk of the group by kind.', groups, (one) => [
      bytes(one.total.diskMib, { group: one.name, kind: 'total' }),
      bytes(one.free.diskMib, { group: one.name, kind: 'free' }),
    ]),
    each('hcompress_free_ratio', 'Share of the group that is free.', groups, (one) =>
      sample(one.freeShare, { group: one.name }),
    ),
    ...costFamilies('hcompress', document.cost),
    ...execution,
  ];
}

export function hspreadFamilies(document: DocumentOf<typeof hspread>): readonly Family[] {
  if ('why' in document || 'try' in document) return answerFamilies(document);
  const execution = executionFamilies('hspread', 'execution' in document ? document.execution : undefined);
  if (!('before' in document)) return execution;
  const pictures = [
    ['initial', document.before],
    ['final', document.after],
  ] as const;
  return [
    each('hspread_spread', 'How unevenly the load lies; 0 is even.', pictures, ([when, { spread }]) =>
      sample(spread, { when }),
    ),
    each(
      'hspread_load_ratio',
      'Load of the group; 1 is as the whole cluster.',
      pictures,
      ([when, { groups }]) =>
        groups.flatMap(({ name, load }) =>
          Object.entries(load).map(([resource, value]) => sample(value, { group: name, resource, when })),
        ),
    ),
    each('hspread_outlier_groups', 'Groups that stand out.', pictures, ([when, { groups }]) =>
      sample(groups.filter(({ above }) => above.length > 0).length, { when }),
    ),
    ...costFamilies('hspread', document.cost),
    ...execution,
  ];
}
