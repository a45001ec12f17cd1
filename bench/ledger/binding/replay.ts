/**
 * Judges a history: the pods of every generation are made anew from the record of changes, and every answer
 * and every row is held against them. Whatever was answered at a generation must be what the choice gives
 * there.
 */
import { auditBindings } from '../../../src/ledger/binding/audit/audit.ts';
import type { Book } from '../../../src/ledger/binding/book/book.ts';
import { candidates } from '../../../src/ledger/binding/choice/choose.ts';
import { filtersOf, firstRefusal } from '../../../src/ledger/binding/filters/filters.ts';
import {
  type Affinity,
  type Pod,
  type Policy,
  parseAffinity,
  USUAL_POLICY,
} from '../../../src/ledger/binding/model/pod.ts';
import { metricsOf } from '../../../src/ledger/binding/model/usage.ts';
import type { Told } from './history-step.ts';

interface ChangeRow {
  readonly generation: number;
  readonly action: string;
  readonly pod_id: number | null;
  readonly after: string | null;
}

interface BindingRow {
  readonly id: number;
  readonly tenant: string;
  readonly pod_id: number;
  readonly az: string;
  readonly affinity: string;
  readonly reason: string;
  readonly generation: number;
}

/** The pods and the policy as they were, generation by generation; asked in rising order. */
class World {
  private readonly changes: readonly ChangeRow[];
  private next = 0;
  private readonly byId = new Map<number, Pod>();
  private sorted: readonly Pod[] | undefined;
  policy: Policy = USUAL_POLICY;

  constructor(changes: readonly ChangeRow[]) {
    this.changes = changes;
  }

  to(generation: number): void {
    for (; this.changes[this.next] && this.changes[this.next]!.generation <= generation; this.next++) {
      const { action, pod_id: id, after } = this.changes[this.next]!;
      if (action === 'policy') this.policy = JSON.parse(after!) as Policy;
      else if (after === null) this.byId.delete(id!);
      else {
        const pod = JSON.parse(after) as Pod;
        this.byId.set(id!, { ...pod, metrics: metricsOf(pod.usage) });
      }
      this.sorted = undefined;
    }
  }

  pod(id: number): Pod {
    return this.byId.get(id)!;
  }

  get pods(): readonly Pod[] {
    this.sorted ??= [...this.byId.values()].sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
    return this.sorted;
  }
}

export interface Judgement {
  /** What is wrong, in words; empty: nothing. */
  readonly troubles: readonly string[];
  readonly rows: number;
  readonly changes: number;
}

/** @param told answers of all askers, in any order */
export async function judge(book: Book, told: readonly Told[]): Promise<Judgement> {
  const { findings, changes, rows } = await book.store.read(async (session) => ({
    findings: await auditBindings(session),
    changes: await session.all<ChangeRow>(
      'SELECT generation, action, pod_id, after FROM pod_changes ORDER BY generation, id',
    ),
    rows: await session.all<BindingRow>(
      'SELECT id, tenant, pod_id, az, affinity, reason, generation FROM bindings ORDER BY generation, id',
    ),
  }));
  const troubles = findings.map((finding) => JSON.stringify(finding));
  const known = new Map(rows.map((row) => [row.id, row]));
  const ofAnswers = new World(changes);
  for (const answer of [...told].sort((a, b) => a.generation - b.generation)) {
    ofAnswers.to(answer.generation);
    const trouble = answerTrouble(ofAnswers, answer, known);
    if (trouble) troubles.push(`${trouble}: ${JSON.stringify(answer)}`);
  }
  const ofRows = new World(changes);
  for (const row of rows) {
    ofRows.to(row.generation);
    if (row.reason === 'admin') continue;
    const question = { az: row.az, affinity: parseAffinity(row.affinity) as Affinity, need: {} };
    const refusal = firstRefusal(filtersOf(ofRows.policy), ofRows.pod(row.pod_id), question);
    if (refusal) troubles.push(`row ${row.id} of ${row.tenant} is in a pod that ${refusal.filter} refuses`);
  }
  return { troubles, rows: rows.length, changes: changes.length };
}

function answerTrouble(
  world: World,
  { kind, pod, binding, question, policy, without, tenant }: Told,
  rows: ReadonlyMap<number, BindingRow>,
): string | undefined {
  if (kind === 'kept') {
    const refusal = firstRefusal(filtersOf(policy), world.pod(pod!), question);
    return refusal && `kept in a pod that ${refusal.filter} refuses`;
  }
  const best = candidates(world.pods, policy, question, without)[0]?.pod;
  if (kind === 'none') return best && `refused, and ${best.name} would take it`;
  if (best?.id !== pod) return `bound to another pod than ${best?.name}`;
  const row = rows.get(binding!);
  return row?.tenant === tenant && row.pod_id === pod ? undefined : 'told of a row that is not there';
}
