/**
 * What a disk has when the power fails: everything that was waited for, and of the rest whatever it happened
 * to write.
 */
import type { Random } from '../../../generate/random.ts';
import type { Note } from './notes.ts';

const SECTOR = 512;
const TORN_SHARE = 0.05;
/** Shares of the writes under way that the disk has. */
const SHARES = [0, 0.3, 0.6, 0.9, 1];

/** Bytes that can be written anywhere. */
class Content {
  private bytes: Buffer = Buffer.alloc(0);
  private length = 0;

  put(position: number, data: Buffer): void {
    const end = position + data.length;
    if (end > this.bytes.length) this.bytes = Buffer.concat([this.bytes, Buffer.alloc(end)]);
    data.copy(this.bytes, position);
    this.length = Math.max(this.length, end);
  }

  cut(length: number): void {
    this.bytes.fill(0, length);
    this.length = length;
  }

  copy(): Content {
    const copied = new Content();
    copied.put(0, this.all());
    return copied;
  }

  all(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** A file as the disk has it for certain, and the writes on their way. */
class TracedFile {
  private readonly content = new Content();
  private underWay: { readonly at: number; readonly position: number; readonly data: Buffer }[] = [];

  get writesUnderWay(): number {
    return this.underWay.length;
  }

  write(at: number, position: number, data: Buffer): void {
    this.underWay.push({ at, position, data });
  }

  /** The writes before the note `at` are on the disk. */
  settle(at: number): void {
    for (const one of this.underWay) if (one.at < at) this.content.put(one.position, one.data);
    this.underWay = this.underWay.filter((one) => one.at >= at);
  }

  /** A change of size is taken to be on the disk at once, with what was written before. */
  cut(at: number, length: number): void {
    this.settle(at);
    this.content.cut(length);
  }

  /** The writes under way get there or not, whatever their order; some in part. */
  afterPowerLoss(random: Random): Buffer {
    const share = random.pick(SHARES);
    const content = this.content.copy();
    for (const { position, data } of this.underWay) {
      if (!random.chance(share)) continue;
      const sectors = random.between(0, Math.floor(data.length / SECTOR));
      content.put(position, random.chance(TORN_SHARE) ? data.subarray(0, sectors * SECTOR) : data);
    }
    return content.all();
  }
}

/** The files of a ledger, and what its users have been told. */
export class DiskImage {
  readonly database = new TracedFile();
  readonly log = new TracedFile();
  readonly answered: string[] = [];
  private readonly waits = new Map<string, number>();

  /** @param at number of the note. */
  play(note: Note, at: number): void {
    if (note.file === 'answers') {
      if (note.kind === 'write') this.answered.push(...note.data.toString().trim().split('\n'));
      return;
    }
    const file = note.file === 'log' ? this.log : this.database;
    const waiter = `${note.process} ${note.file}`;
    if (note.kind === 'write') file.write(at, note.position, note.data);
    else if (note.kind === 'cut') file.cut(at, note.position);
    else if (note.kind === 'removed') file.cut(at, 0);
    else if (note.kind === 'waiting') this.waits.set(waiter, at);
    else file.settle(this.waits.get(waiter)!);
  }
}
