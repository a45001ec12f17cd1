/** Saves snapshots as text files (`-S`). */
import { replaceFile } from '../../kit/files/replace-file.ts';
import type { RawSnapshot } from '../cluster/snapshot.ts';
import { formatText } from './text/text-writer.ts';

/** @throws ExecutionError when the file cannot be written; then nothing is left behind. */
export const saveSnapshot = (snapshot: RawSnapshot, path: string): void =>
  replaceFile(path, formatText(snapshot));
