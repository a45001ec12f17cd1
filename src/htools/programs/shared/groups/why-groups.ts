/**
 * `--why` and `--try` in the programs between groups: which group would take an instance, on which nodes, why
 * the others do not, and what moving it there would do.
 */
import { documentHead } from '../../../../kit/report/json.ts';
import { printOut } from '../../../../kit/report/output.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { RelocationTrials } from '../../../explain/groups/try-relocation.ts';
import { placeOf } from '../../../explain/placement.ts';
import { findHome } from '../../../planners/groups/homes/homes.ts';
import { GroupRules } from '../../../planners/groups/homes/leaving.ts';
import type { SuperCluster } from '../../../planners/groups/homes/super-cluster.ts';
import { strandedBy } from '../../../planners/groups/refusals/refusals.ts';
import type { NamedPlacement } from '../../../results/parts/explanation.ts';
import type { RelocationTry } from '../../../results/parts/relocations.ts';
import { type AnyDocument, printDocument } from '../document/print-document.ts';
import { placeText } from '../questions/explain-text.ts';
import { readQuestions } from '../questions/question-reader.ts';
import { isDocument } from '../questions/report-what-if.ts';
import type { GroupWork } from './group-work.ts';
import { aliasesIn, refusalLines, strandedLines } from './refusal-text.ts';
import { relocationTryText } from './relocation-text.ts';

/** Groups that would take it, and in `stranded` what the others say, or why it stays at all. */
function whyOf(cluster: SuperCluster, rules: GroupRules, i: number) {
  const { snapshot, state } = cluster;
  const own = cluster.groupOf(i);
  const homes = new Map<number, NamedPlacement>();
  const isTarget = (group: number): boolean => group !== own && cluster.isHealthy(group);
  for (const group of rules.openTo(i).filter(isTarget))
    cluster.tentatively(() => {
      const { kind } = findHome(cluster, i, [group]);
      if (kind === 'found') homes.set(group, placeOf(snapshot, state.primary[i]!, state.secondary[i]!));
    });
  const others = {
    openTo: () => rules.openTo(i).filter((group) => !homes.has(group)),
    refusalsOf: () => rules.refusalsOf(i),
  };
  const stranded = strandedBy(cluster, others, i, isTarget);
  const open = [...homes].map(([group, home]) => ({ group: snapshot.groups[group]!.name, home }));
  return {
    instance: snapshot.instances[i]!.name,
    group: snapshot.groups[own]!.name,
    at: placeOf(snapshot, state.primary[i]!, state.secondary[i]!),
    open: stranded.reason === null ? open : [],
    stranded,
  };
}

function whyText(
  snapshot: Snapshot,
  { instance, group, at, open, stranded }: ReturnType<typeof whyOf>,
): string {
  // Where some group is open the others' reasons are a remark; where none is they are the answer.
  const placed = (place: NamedPlacement): string => placeText(place, (name) => name);
  const others =
    open.length === 0 || stranded.reason !== null
      ? strandedLines(aliasesIn(snapshot), [stranded], '  ', true)
      : refusalLines(stranded.refusals);
  return [
    `${instance} is on ${placed(at)} in group ${group}.\n`,
    ...open.map((one) => `  ${one.group}: would take it on ${placed(one.home)}\n`),
    others,
  ].join('');
}

const LEADS_NOWHERE: [string, string] = [
  'leads nowhere: it is there, its nodes are in two groups, or its template has no such move',
  'name other nodes; drbd takes two of one group, shared storage one',
];

export async function askGroups({ program, cluster, options, whatIf }: GroupWork): Promise<void> {
  const { snapshot } = cluster;
  const { reader, asked, wishes } = readQuestions(snapshot, options);
  const rules = new GroupRules(cluster);
  const why = asked.map((i) => whyOf(cluster, rules, i));
  const trials = new RelocationTrials(cluster);
  const tried = wishes.flatMap(({ text, instance, primary, secondary }): RelocationTry[] => {
    const found = trials.try(instance, primary, secondary);
    if (!found) reader.complain('--try', text, ...LEADS_NOWHERE);
    return found ? [found] : [];
  });
  reader.failIfAny();
  if (!isDocument(options)) {
    printOut([...why.map((answer) => whyText(snapshot, answer)), ...tried.map(relocationTryText)].join('\n'));
    return;
  }
  const document = {
    ...documentHead(program),
    ...whatIf,
    ...(asked.length > 0 && { why }),
    ...(tried.length > 0 && { try: tried }),
  } as AnyDocument;
  await printDocument(options, document);
}
