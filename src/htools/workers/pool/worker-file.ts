/** Where the thread entry files are: built ones beside a bundle, sources when run from sources. */
import { createRequire } from 'node:module';

/** Folder of the built workers; a constant that the bundler puts into each program. */
declare const EVENKEEL_WORKER_FOLDER: string | undefined;

/** Path of a worker by name. */
export function workerFile(name: string): string {
  if (typeof EVENKEEL_WORKER_FOLDER !== 'undefined') return `${EVENKEEL_WORKER_FOLDER}/${name}.cjs`;
  return createRequire(import.meta.url).resolve(`../../../../dist/workers/${name}.cjs`);
}
