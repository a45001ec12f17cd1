/** `--why INSTANCE` in the programs that move between groups: which group would take it, on which nodes, and why the others do not. */
import { printOut } from '../../../cli/output.ts';
import { InputError, type InputProblem } from '../../../cluster/faults.ts';
import { isFound, lookupName } from '../../../cluster/names.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { placeOf } from '../../../explain/placement.ts';
import type { Place } from '../../../explain/record.ts';
import { findHome } from '../../../planners/groups/homes/homes.ts';
import { GroupRules } from '../../../planners/groups/homes/leaving.ts';
import { type Stranded, strandedBy } from '../../../planners/groups/homes/refusals.ts';
import type { SuperCluster } from '../../../planners/groups/homes/super-cluster.ts';
import { SCHEMA_VERSION } from '../../../report/json.ts';
import { type AnyDocument, documentText, type FormOptions } from '../document/document-text.ts';
import type { WhatIfMember } from '../explain/report-what-if.ts';
import { refusalLines, strandedJson, strandedLines } from './refusal-text.ts';

/** A group that would take an instance, and where. */
interface OpenGroup {
  readonly group: string;
  readonly home: Place;
}

interface GroupWhy {
  readonly instance: string;
  readonly group: string;
  readonly at: Place;
  readonly open: readonly OpenGroup[];
  /** What the others say, or why it stays at all. */
  readonly stranded: Stranded;
}

function whyOf(cluster: SuperCluster, rules: GroupRules, i: number): GroupWhy {
  const { snapshot, state } = cluster;
  const own = state.groupOf[state.primary[i]!]!;
  const open: OpenGroup[] = [];
  const openGroups = new Set<number>();
  const isHealthy = (group: number): boolean => group !== own && cluster.healthOf(group).state === 'healthy';
  for (const group of rules.of(i).open) {
    if (!isHealthy(group)) continue;
    const mark = cluster.mark();
    const found = findHome(cluster, i, [group], { strategy: 'standard', refreshesOld: true });
    if (found.kind === 'found') {
      openGroups.add(group);
      const home = placeOf(snapshot, state.primary[i]!, state.secondary[i]!);
      open.push({ group: snapshot.groups[group]!.name, home });
    }
    cluster.rollback(mark);
  }
  const stranded = strandedBy(cluster, rules, i, (group) => isHealthy(group) && !openGroups.has(group));
  return {
    instance: snapshot.instances[i]!.name,
    group: snapshot.groups[own]!.name,
    at: placeOf(snapshot, state.primary[i]!, state.secondary[i]!),
    open: stranded.stays === undefined ? open : [],
    stranded: {
      ...stranded,
      refusals: stranded.refusals.filter(({ group }) => !openGroups.has(group)),
    },
  };
}

const placeText = ({ primary, secondary }: Place): string =>
  secondary === null ? primary : `${primary}:${secondary}`;

function whyText(snapshot: Snapshot, { instance, group, at, open, stranded }: GroupWhy): string {
  const { stays, refusals } = stranded;
  // Where some group is open the others' reasons are a remark; where none is they are the answer.
  const others =
    open.length === 0 || stays !== undefined
      ? strandedLines(snapshot, [stranded], '  ', true)
      : refusalLines(snapshot, refusals, '  ');
  return [
    `${instance} is on ${placeText(at)} in group ${group}.\n`,
    ...open.map((one) => `  ${one.group}: would take it on ${placeText(one.home)}\n`),
    others,
  ].join('');
}

/** Positions of the instances asked about. @throws InputError when a name is none */
function instancesCalled({ instances }: Snapshot, wanted: readonly string[]): number[] {
  const names = instances.map(({ name }) => name);
  const problems: InputProblem[] = [];
  const found = wanted.map((text) => {
    const match = lookupName(names, text);
    if (isFound(match)) return names.indexOf(match.name);
    problems.push({
      field: '--why',
      value: text,
      problem:
        match.kind === 'several' ? 'is the beginning of several instances' : 'is no instance of the cluster',
      remedy: `give a name, such as ${names[0]}`,
    });
    return -1;
  });
  if (problems.length > 0) throw new InputError('the question', problems);
  return found;
}

/** Answers on standard output, in place of planning. */
export async function askGroups(
  program: 'hredist' | 'hcompress' | 'hspread',
  {
    cluster,
    options,
    whatIf,
  }: {
    cluster: SuperCluster;
    options: FormOptions & { json: boolean; why: readonly string[] };
    whatIf: WhatIfMember;
  },
): Promise<void> {
  const { snapshot } = cluster;
  const rules = new GroupRules(cluster);
  const answers = instancesCalled(snapshot, options.why).map((i) => whyOf(cluster, rules, i));
  if (!options.json) {
    printOut(answers.map((answer) => whyText(snapshot, answer)).join('\n'));
    return;
  }
  const why = answers.map(({ stranded, ...answer }) => ({
    ...answer,
    stranded: strandedJson(snapshot, [stranded])[0]!,
  }));
  const document = { schemaVersion: SCHEMA_VERSION, program, ...whatIf, why } as AnyDocument;
  printOut(await documentText(options, document));
}
