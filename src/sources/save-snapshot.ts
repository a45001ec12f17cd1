/** Saves snapshots as text files (`-S`). */
import type { RawSnapshot } from '../cluster/snapshot.ts';
import { replaceFile } from './files/replace-file.ts';
import { formatText } from './text/text-writer.ts';

/** @throws ExecutionError when the file cannot be written; then nothing is left behind. */
export const saveSnapshot = (snapshot: RawSnapshot, path: string): void =>
  replaceFile(path, formatText(snapshot));
