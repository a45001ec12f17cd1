/** What a RAPI server would say about the cluster of a fake master: its answers over LUXI in RAPI's shape. */
import {
  GROUP_FIELDS,
  INSTANCE_FIELDS,
  NETWORK_FIELDS,
  NODE_FIELDS,
} from '../../../src/htools/sources/luxi/luxi-cluster.ts';
import type { FakeMaster } from './fake-master.ts';
import type { HttpReply, HttpRequest } from './play.ts';

const KNOWN = 0;

type Cell = readonly [status: number, value: unknown];
type FieldValues = Readonly<Record<string, unknown>>;

/** All records of one kind, each with the fields that the cluster knows. */
async function recordsOf(
  master: FakeMaster,
  what: string,
  fields: readonly string[],
): Promise<readonly FieldValues[]> {
  const { result } = JSON.parse(await master.answer({ method: 'Query', args: [what, fields, null] }));
  return result.data.map((row: readonly Cell[]) =>
    Object.fromEntries(row.flatMap(([status, value], at) => (status === KNOWN ? [[fields[at], value]] : []))),
  );
}

/** Members whose names over LUXI have such a beginning, without it: what RAPI has in a record of its own. */
const below = (record: FieldValues, beginning: string): FieldValues =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      name.startsWith(beginning) ? [[name.slice(beginning.length), value]] : [],
    ),
  );

/** The bodies of the resources. */
export async function rapiAnswers(master: FakeMaster): Promise<Readonly<Record<string, string>>> {
  const nodes = await recordsOf(master, 'node', NODE_FIELDS);
  const instances = await recordsOf(master, 'instance', INSTANCE_FIELDS);
  const { result: info } = JSON.parse(await master.answer({ method: 'QueryClusterInfo', args: [] }));
  return {
    groups: JSON.stringify(await recordsOf(master, 'group', GROUP_FIELDS)),
    nodes: JSON.stringify(nodes.map((node) => ({ ...node, ndparams: below(node, 'ndp/') }))),
    instances: JSON.stringify(
      instances.map((one) => ({ ...one, oper_ram: one['be/memory'], beparams: below(one, 'be/') })),
    ),
    info: JSON.stringify(info),
    networks: JSON.stringify(await recordsOf(master, 'network', NETWORK_FIELDS)),
  };
}

/** Serves such bodies. */
export const replyFrom =
  (answers: Readonly<Record<string, string>>) =>
  ({ path }: HttpRequest): HttpReply => ({ body: answers[/^\/2\/(\w+)/.exec(path)![1]!]! });
