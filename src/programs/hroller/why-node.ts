/** `hroller --why NODE`: in which round a node is, and which nodes must not be down at the same time, because of which instances. */
import { printOut } from '../../cli/output.ts';
import { InputError, type InputProblem } from '../../cluster/faults.ts';
import { isFound, lookupName } from '../../cluster/names.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { conflictsOf } from '../../planners/maintain/reboot/reboot-graph.ts';
import { SCHEMA_VERSION } from '../../report/json.ts';
import { documentText, type FormOptions } from '../shared/document/document-text.ts';
import type { WhatIfMember } from '../shared/explain/report-what-if.ts';

/** Instances that are named before they are only counted. */
const MOST_NAMES = 4;

interface NodeConflict {
  readonly node: string;
  /** mirror: instances have their two nodes there; common-secondary: instances of both would fail over to one node. */
  readonly rule: 'mirror' | 'common-secondary';
  readonly instances: readonly string[];
}

interface NodeWhy {
  readonly node: string;
  /** From 1; null where the node is in none. */
  readonly round: number | null;
  readonly conflicts: readonly NodeConflict[];
}

const listed = (names: readonly string[]): string => {
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

function whyText({ node, round, conflicts }: NodeWhy): string {
  const where = round === null ? 'is in no round' : `is in round ${round}`;
  if (conflicts.length === 0) return `${node} ${where}; it may be down together with any other node.\n`;
  const lines = conflicts.map(({ node: other, rule, instances }) => {
    const reason = rule === 'mirror' ? 'both nodes of' : 'one node would take over from both:';
    return `  ${other}: ${reason} ${listed(instances)}\n`;
  });
  return `${node} ${where}; not down together with it may be\n${lines.join('')}`;
}

/** @throws InputError when a name is no node */
export async function askNodes(
  state: ClusterState,
  rounds: readonly (readonly number[])[],
  options: FormOptions & {
    readonly whyNode: readonly string[];
    readonly json: boolean;
    readonly offlineMaintenance: boolean;
  },
  whatIf: WhatIfMember,
): Promise<void> {
  const { nodes, instances }: Snapshot = state.snapshot;
  const names = nodes.map(({ name }) => name);
  const problems: InputProblem[] = [];
  const answers = options.whyNode.flatMap((text): NodeWhy[] => {
    const match = lookupName(names, text);
    if (!isFound(match)) {
      const problem =
        match.kind === 'several' ? 'is the beginning of several nodes' : 'is no node of the cluster';
      problems.push({ field: '--why', value: text, problem, remedy: `give a name, such as ${names[0]}` });
      return [];
    }
    const n = names.indexOf(match.name);
    const round = rounds.findIndex((members) => members.includes(n));
    const conflicts = conflictsOf(state, n, options.offlineMaintenance).map(
      ({ node, rule, instances: why }): NodeConflict => ({
        node: names[node]!,
        rule,
        instances: why.map((i) => instances[i]!.name),
      }),
    );
    return [{ node: match.name, round: round < 0 ? null : round + 1, conflicts }];
  });
  if (problems.length > 0) throw new InputError('the question', problems);
  printOut(
    options.json
      ? await documentText(options, {
          schemaVersion: SCHEMA_VERSION,
          program: 'hroller',
          ...whatIf,
          why: answers,
        })
      : answers.map(whyText).join('\n'),
  );
}
