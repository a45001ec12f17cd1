/** How many threads a program starts, and where their entry files are: built ones, or sources. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

/** More threads find too little to do. */
const MOST_THREADS = 8;

/** Threads that are of use on this machine where there is enough to do. */
export const threadsHere = (): number => Math.min(MOST_THREADS, availableParallelism());

/** Folder of the built workers; a constant that the bundler puts into each program. */
declare const EVENKEEL_WORKER_FOLDER: string | undefined;

export function workerFile(name: string): string {
  if (typeof EVENKEEL_WORKER_FOLDER !== 'undefined') return `${EVENKEEL_WORKER_FOLDER}/${name}.cjs`;
  return createRequire(import.meta.url).resolve(`../../../../dist/workers/${name}.cjs`);
}

/** The same for Piscina; what this process was started with, such as a loader, is not for built files. */
export const workerNamed = (name: string) => ({ filename: workerFile(name), execArgv: [] });
