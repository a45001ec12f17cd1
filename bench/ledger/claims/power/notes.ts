/** Reads the notes of trace.c. */

const KINDS = { w: 'write', t: 'cut', u: 'removed', b: 'waiting', e: 'waited' } as const;
const FILES = { 1: 'database', 2: 'log', 3: 'answers' } as const;
const HEAD_BYTES = 18;

export interface Note {
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  readonly file: (typeof FILES)[keyof typeof FILES];
  /** Of a write; the new length where the file was cut. */
  readonly position: number;
  readonly process: number;
  readonly data: Buffer;
}

export function readNotes(trace: Buffer): readonly Note[] {
  const notes: Note[] = [];
  for (let at = 0; at < trace.length; ) {
    const kind = KINDS[String.fromCharCode(trace[at]!) as keyof typeof KINDS];
    const length = kind === 'write' ? trace.readUInt32LE(at + 10) : 0;
    notes.push({
      kind,
      file: FILES[trace[at + 1] as keyof typeof FILES],
      position: Number(trace.readBigUInt64LE(at + 2)),
      process: trace.readUInt32LE(at + 14),
      data: trace.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length),
    });
    at += HEAD_BYTES + length;
  }
  return notes;
}
