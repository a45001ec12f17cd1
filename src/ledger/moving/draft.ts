/**
 * What an import over HTTP has read, kept in a file for a run that breaks. Each line says with which
 * generation it was read; the ledger is never made from the file alone.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeStateFolder, stateFolder } from '../../htools/ganeti/execution/state-folder.ts';
import { OWNER_ONLY, writingFault } from '../../kit/files/replace-file.ts';

export class Draft {
  readonly file: string;
  private readonly known = new Map<string, unknown>();
  private readonly descriptor: number;
  private isEmpty: boolean;
  private isClosed = false;

  /** Takes up what a broken run has left. @param what tells imports apart: from where, to where. */
  constructor(what: string) {
    const digest = createHash('sha256').update(what).digest('hex').slice(0, 16);
    this.file = join(stateFolder(), `import-${digest}.draft`);
    try {
      makeStateFolder();
      this.descriptor = openSync(this.file, 'a+', OWNER_ONLY);
      for (const line of readFileSync(this.file, 'utf8').split('\n')) this.take(line);
      this.isEmpty = this.known.size === 0;
      // What follows a line that was broken off begins with a line of its own.
      appendFileSync(this.descriptor, '\n');
    } catch (error) {
      throw writingFault(error, this.file);
    }
  }

  get size(): number {
    return this.known.size;
  }

  /**
   * What was read of something at that generation; where it was not, `read` does, and it is kept.
   * @param isRight whether it still is: what was removed and made anew may have the same generation
   */
  async once<Value>(
    path: string,
    generation: number,
    read: () => Promise<Value>,
    isRight: (known: Value) => boolean = () => true,
  ): Promise<Value> {
    const key = `${path} ${generation}`;
    const known = this.known.get(key) as Value | undefined;
    if (known !== undefined && isRight(known)) return known;
    const value = await read();
    // Where one request has failed, others are under way: what was the file's number is another's by then.
    if (this.isClosed) return value;
    this.isEmpty = false;
    try {
      appendFileSync(this.descriptor, `${JSON.stringify([key, value])}\n`);
    } catch (error) {
      throw writingFault(error, this.file);
    }
    return value;
  }

  /** @param isDone the ledger has it all: the file is removed, as is one that holds nothing. */
  close(isDone: boolean): void {
    this.isClosed = true;
    closeSync(this.descriptor);
    if (isDone || this.isEmpty) rmSync(this.file, { force: true });
  }

  private take(line: string): void {
    try {
      const [key, value] = JSON.parse(line);
      this.known.set(key, value);
    } catch {
      // The run was ended in the middle of this line; what it said is read again.
    }
  }
}
