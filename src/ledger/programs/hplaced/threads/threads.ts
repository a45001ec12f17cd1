/**
 * The threads that do the work, so that the one at the door answers at once whatever they do. One does all
 * that is quick, many requests at a time, which share commits; what turns out to take longer, or may, goes to
 * others, one request each, which are ended when the time is over or the client has left.
 */
import { setFlagsFromString } from 'node:v8';
import type { Piscina } from 'piscina';
import { workerNamed } from '../../../../htools/workers/pool/worker-file.ts';
import { type EndGate, mayEnd, newEndGate } from '../../../../kit/end-gate.ts';
import { MS_PER_S } from '../../../../kit/units.ts';
import { ApiError, retryAfter } from '../../../http/api-error.ts';
import type { Operation, Request } from '../../../http/route.ts';
import { type Answer, refusalOf } from '../../../http/work.ts';
import { OUTCOME_UNKNOWN_ANSWER } from '../service/faults.ts';
import type { ServiceSettings } from '../service/service.ts';

export interface ThreadSettings extends ServiceSettings {
  readonly url: string;
  /** Bytes that an answer may have. */
  readonly mostAnswer: number;
}

export type Task =
  | 'warm-up'
  | 'expire'
  | {
      readonly operation: string;
      readonly request: Request;
      /** Of a thread that may be ended. */
      readonly gate?: EndGate;
    };

export interface ThreadOptions extends ThreadSettings {
  readonly longThreads: number;
  /** MiB that such a thread may have: a request that takes more ends it, and not the service. */
  readonly longHeapMib: number;
  /** Seconds that one request may take, with its waiting for a thread. */
  readonly workSeconds: number;
}

/** Requests that wait for a thread; more are sent away. */
const MOST_WAITING = { quick: 2000, long: 32 } as const;
/** Requests that the quick thread has under way. */
const QUICK_AT_ONCE = 64;
/** Bytes of a body that are read and checked while others wait. */
const MOST_QUICK_BODY = 64 * 1024;
/** How soon a thread that could not be ended is looked at again. */
const ASK_AGAIN_MS = 1;
/** A thread that had nothing long to do for so long gives back its memory. */
const IDLE_MS = 300_000;
/** MiB: answers are made of millions of short texts, and a small young heap moves them again and again. */
const YOUNG_HEAP_MIB = 192;

const refusedWith = (error: ApiError) => ({ kind: 'refused', refusal: refusalOf(error) }) as const;
const refused = (detail: string, code?: string): Answer =>
  refusedWith(new ApiError(503, detail, { ...retryAfter(5), code }));
const BUSY = refused('Too many requests wait to be answered.');

export class Threads {
  private ending = 0;

  private constructor(
    private readonly quick: Piscina<Task, Answer>,
    private readonly long: Piscina<Task, Answer>,
    private readonly workSeconds: number,
  ) {}

  /** @param onFault told when a thread ends by itself */
  static async start(
    { longThreads, longHeapMib, workSeconds, ...workerData }: ThreadOptions,
    onFault: (error: unknown) => void,
  ): Promise<Threads> {
    const { Piscina: Pool } = await import('piscina');
    // Sockets and timers of a thread that waits for work have to be served, too.
    const common = { ...workerNamed('hplaced'), workerData, atomics: 'disabled' } as const;
    const quick = new Pool<Task, Answer>({
      ...common,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: QUICK_AT_ONCE,
    });
    const long = new Pool<Task, Answer>({
      ...common,
      minThreads: 0,
      maxThreads: longThreads,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: longHeapMib, maxYoungGenerationSizeMb: YOUNG_HEAP_MIB },
    });
    // Whoever asked is told; the pool starts another thread.
    for (const pool of [quick, long]) pool.on('error', onFault);
    return new Threads(quick, long, workSeconds);
  }

  get waiting(): { readonly quick: number; readonly long: number } {
    return { quick: this.quick.queueSize, long: this.long.queueSize };
  }

  run(task: 'warm-up' | 'expire'): Promise<unknown> {
    return this.quick.run(task);
  }

  async perform(operation: Operation, request: Request, gone: AbortSignal): Promise<Answer> {
    try {
      return await this.performed(operation, request, gone);
    } catch (error) {
      if (operation.access !== 'write') throw error;
      // What the thread was about to keep may be kept.
      const { refusal } = refusedWith(OUTCOME_UNKNOWN_ANSWER);
      return { kind: 'refused', refusal: { ...refusal, trace: String((error as Error).stack) } };
    }
  }

  private async performed(operation: Operation, request: Request, gone: AbortSignal): Promise<Answer> {
    if (!operation.isLong && request.body.length <= MOST_QUICK_BODY) {
      if (this.quick.queueSize >= MOST_WAITING.quick) return BUSY;
      const answer = await this.quick.run({
        operation: operation.id,
        request: { ...request, isQuick: true },
      });
      if (answer.kind !== 'takes-longer') return answer;
    }
    if (this.long.queueSize >= MOST_WAITING.long) return BUSY;
    return this.performLong(operation, request, gone);
  }

  private async performLong(operation: Operation, request: Request, gone: AbortSignal): Promise<Answer> {
    const stop = new AbortController();
    const gate = newEndGate();
    const leave = (): void => {
      if (mayEnd(gate)) void this.endBy(stop);
      else setTimeout(leave, ASK_AGAIN_MS);
    };
    gone.addEventListener('abort', leave);
    if (gone.aborted) leave();
    const timer = setTimeout(leave, this.workSeconds * MS_PER_S);
    try {
      return await this.long.run({ operation: operation.id, request, gate }, { signal: stop.signal });
    } catch (error) {
      if (operation.access === 'write') throw error;
      if (stop.signal.aborted)
        return refused(`This takes more than ${this.workSeconds} seconds. Ask for less.`, 'hplaced.too_long');
      if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY')
        return refused(
          'This takes more memory than one request may have. Ask for less.',
          'hplaced.too_large',
        );
      throw error;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', leave);
    }
  }

  /**
   * Ends the thread of a request. Node 20 aborts the process if V8, which may still compile for the thread,
   * would begin to mark its heap meanwhile: so no heap is begun with until the thread is gone.
   */
  private async endBy(stop: AbortController): Promise<void> {
    setFlagsFromString('--no-incremental-marking');
    this.ending += 1;
    const { threads } = this.long;
    stop.abort();
    await Promise.all(threads.map((one) => this.long.threads.includes(one) || one.terminate()));
    this.ending -= 1;
    if (this.ending === 0) setFlagsFromString('--incremental-marking');
  }

  /** Ends the threads once they have done what they are about. */
  async close(): Promise<void> {
    await Promise.all([this.quick.close(), this.long.close()]);
  }
}
