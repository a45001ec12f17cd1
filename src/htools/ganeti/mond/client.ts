/** Asks the monitoring daemons of nodes for one report each. Source: ganeti-mond(8). */
import { BackendError } from '../../../kit/faults.ts';
import { severalAtOnce } from '../../../kit/several.ts';
import { decodeAnswer } from '../wire/answer-text.ts';
import { httpGet } from '../wire/http-get.ts';
import type { WireLimits } from '../wire/limits.ts';
import { openSocket } from '../wire/open-socket.ts';

const PORT = 1815;
const OK = 200;

/** A node's report as text, or why there is none. */
type MondAnswer = { readonly report: string } | { readonly failure: string };

/** Reports are small; one that is not is none. */
const MAX_REPORT_BYTES = 2 ** 24;

async function askOne(
  node: string,
  collector: string,
  limits: WireLimits,
  port: number,
): Promise<MondAnswer> {
  const path = `/1/report/default/${collector}`;
  const url = `http://${node}:${port}${path}`;
  try {
    const socket = await openSocket({ host: node, port }, limits.connectSeconds);
    const { status, body } = await httpGet(
      socket,
      { host: `${node}:${port}`, path, url },
      { ...limits, maxBytes: MAX_REPORT_BYTES },
    );
    return status === OK ? { report: decodeAnswer(body) } : { failure: `${url}: status ${status}` };
  } catch (error) {
    if (error instanceof BackendError) return { failure: error.message };
    throw error;
  }
}

/** A cluster of thousands must not take all of a process's connections, nor the name server's patience. */
const AT_ONCE = 64;

/** Asks some of them at once, in order; a daemon that does not answer costs no more than the time limits. */
export async function askMonitors(
  nodes: readonly string[],
  collector: string,
  limits: WireLimits,
  port = PORT,
): Promise<ReadonlyMap<string, MondAnswer>> {
  const answers = new Map<string, MondAnswer>();
  await severalAtOnce(AT_ONCE, nodes, async (node) => {
    answers.set(node, await askOne(node, collector, limits, port));
  });
  return new Map(nodes.map((node) => [node, answers.get(node)!]));
}
