/** Lets one work at a time use a connection, in the order in which they asked. */
export class Queue {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all works before it have ended, well or not. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => {});
    return result;
  }
}
