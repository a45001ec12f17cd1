/**
 * Several changes, one commit. A durable commit waits for the disk, and whoever asks for a change meanwhile
 * would wait for one commit after the other; instead, what is waiting when a transaction begins goes into it
 * together. Each change is kept or taken back for itself, and nobody is answered before the disk has it all.
 */
import type { Session } from './store.ts';

/** More than so many do not share a commit: other processes want their turn. */
const MOST_TOGETHER = 64;

/** The statements of a transaction; each throws when the database refuses it. */
export interface Transaction {
  begin(): Promise<void>;
  run(statement: 'SAVEPOINT one' | 'ROLLBACK TO one' | 'RELEASE one' | 'ROLLBACK'): void;
  /** Returns when the disk has it all. */
  commit(): void;
  /** Some errors (full disk) end the transaction. */
  isOpen(): boolean;
  readonly session: Session;
}

/** One change: `play` works and says whether it shall be kept; then one of the others is called, once. */
interface Change {
  readonly play: (session: Session) => Promise<boolean>;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export class CommitGroup {
  private readonly waiting: Change[] = [];

  constructor(private readonly transaction: Transaction) {}

  /** Puts a change with those that wait for the next transaction. `commit` has to be called after that. */
  add<T>(work: (session: Session) => Promise<T>, isKept: (result: T) => boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.waiting.push({
        play: async (session) => {
          result = await work(session);
          return isKept(result);
        },
        done: () => resolve(result),
        failed: reject,
      });
    });
  }

  /** Plays what is waiting, if anything, as one transaction. Each change hears of its own fate. */
  async commit(): Promise<void> {
    const { transaction } = this;
    const changes = this.waiting.splice(0, MOST_TOGETHER);
    if (changes.length === 0) return;
    const played: Change[] = [];
    let next = 0;
    try {
      await transaction.begin();
      let isAnyKept = false;
      for (; next < changes.length; next++) {
        const change = changes[next]!;
        try {
          if (await this.playOne(change, changes.length > 1)) isAnyKept = true;
          played.push(change);
        } catch (error) {
          if (!transaction.isOpen()) throw error;
          change.failed(error);
        }
      }
      if (isAnyKept) transaction.commit();
      else transaction.run('ROLLBACK');
      for (const { done } of played) done();
    } catch (error) {
      if (transaction.isOpen()) transaction.run('ROLLBACK');
      // Even who was refused is not answered: it may have been for the sake of a change that is lost now.
      for (const { failed } of [...played, ...changes.slice(next)]) failed(error);
    }
  }

  /** @returns whether the change is kept. @throws when it failed; then nothing of it is left. */
  private async playOne(change: Change, hasOthers: boolean): Promise<boolean> {
    const { transaction } = this;
    if (hasOthers) transaction.run('SAVEPOINT one');
    try {
      const isKept = await change.play(transaction.session);
      if (hasOthers) {
        if (!isKept) transaction.run('ROLLBACK TO one');
        transaction.run('RELEASE one');
      }
      return isKept;
    } catch (error) {
      if (hasOthers && transaction.isOpen()) {
        transaction.run('ROLLBACK TO one');
        transaction.run('RELEASE one');
      }
      throw error;
    }
  }
}
