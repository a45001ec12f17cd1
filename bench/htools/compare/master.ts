/** A master daemon of a case's own, for programs that read their cluster over LUXI. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FakeMaster } from '../../../test/htools/ganeti/fake-master.ts';
import { type LuxiRequest, withLuxi } from '../../../test/htools/ganeti/play.ts';
import { MASTER_FILE, MASTER_SOCKET } from './sources.ts';

/** States of the jobs that the queue has from before, by the last digit of their ids. */
const OLD_STATES = [
  'success',
  'success',
  'success',
  'success',
  'error',
  'running',
  'queued',
  'canceled',
  'waiting',
  'success',
];
const FIRST_NEW_ID = 1000;

const success = (result: unknown): string => JSON.stringify({ success: true, result });

/**
 * Serves the cluster of the case's file on a socket in its folder while the work is done; jobs that are
 * submitted succeed at once, and of what they do the tags of instances are seen.
 * @returns what the work gave, and the jobs, one a line
 */
export async function withMaster<T>(
  folder: string,
  work: () => Promise<T>,
): Promise<{ result: T; jobs: string }> {
  const master = new FakeMaster(join(folder, MASTER_FILE));
  const submitted: unknown[] = [];
  const answer = async (request: LuxiRequest): Promise<string> => {
    const { method, args } = request;
    if (method === 'SubmitManyJobs') {
      const jobs = args[0] as Readonly<Record<string, unknown>>[][];
      for (const op of jobs.flat())
        if (op.kind === 'instance') master.applyTags(master.instance(op.name as string), op);
      return success(jobs.map((ops) => [true, FIRST_NEW_ID + submitted.push(ops) - 1]));
    }
    if (method === 'QueryJobs') {
      const state = (id: number): string => (id < FIRST_NEW_ID ? OLD_STATES[id % 10]! : 'success');
      // Null asks for the whole queue, of which nothing is on the way.
      return success(((args[0] ?? []) as number[]).map((id) => [state(id)]));
    }
    return master.answer(request);
  };
  const result = await withLuxi(answer, (path) => {
    symlinkSync(path, join(folder, MASTER_SOCKET));
    return work();
  });
  return { result, jobs: submitted.map((ops) => `${JSON.stringify(ops)}\n`).join('') };
}
