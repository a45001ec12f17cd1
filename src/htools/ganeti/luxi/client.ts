/** A connection to Ganeti's master daemon: one request at a time, each in limited time. */
import type { Socket } from 'node:net';
import { BackendError } from '../../../kit/faults.ts';
import { timerMs } from '../../../kit/units.ts';
import { ConnectionCut } from '../wire/connection-cut.ts';
import type { WireLimits } from '../wire/limits.ts';
import { openSocket, socketFault } from '../wire/open-socket.ts';
import { decodeResult, END_OF_MESSAGE, encodeCall, type LuxiMethod } from './message.ts';

interface Waiting {
  readonly answer: (message: Buffer) => void;
  readonly fail: (fault: BackendError) => void;
}

export class LuxiClient {
  private waiting: Waiting | undefined;
  /** What is there of a message that has not ended yet. */
  private pieces: Buffer[] = [];
  private pendingBytes = 0;
  /** Why the connection can no longer be used. */
  private fault: BackendError | undefined;

  private constructor(
    private readonly path: string,
    private readonly socket: Socket,
    private readonly limits: WireLimits,
  ) {
    socket.on('data', (piece) => this.take(piece));
    socket.on('error', (error) => this.break(socketFault(`the connection to ${path} broke`, error)));
    socket.on('close', () => this.break(this.cut()));
  }

  /** @throws BackendError when nobody takes the connection in time */
  static async connect(path: string, limits: WireLimits): Promise<LuxiClient> {
    return new LuxiClient(path, await openSocket({ path }, limits.connectSeconds), limits);
  }

  /**
   * Makes one call.
   * @throws LuxiRefusal when the cluster says no
   * @throws BackendError for no answer in time, or none that is one; then the connection is spent
   */
  async call(method: LuxiMethod, args: readonly unknown[]): Promise<unknown> {
    if (this.fault) throw this.fault;
    const { answerSeconds } = this.limits;
    const timer = setTimeout(() => this.break(this.late(method)), timerMs(answerSeconds));
    const message = new Promise<Buffer>((answer, fail) => {
      this.waiting = { answer, fail };
      this.socket.write(encodeCall(method, args));
    });
    return decodeResult(method, await message.finally(() => clearTimeout(timer)));
  }

  close(): void {
    this.fault ??= new BackendError(`the connection to ${this.path} is closed`);
    this.socket.destroy();
  }

  private take(piece: Buffer): void {
    const at = piece.indexOf(END_OF_MESSAGE);
    const end = at < 0 ? piece.length : at;
    this.pieces.push(piece.subarray(0, end));
    this.pendingBytes += end;
    if (end < piece.length - 1) this.refuse('there is more than one answer to one request');
    else if (this.pendingBytes > this.limits.maxBytes) this.refuse('the answer has no end');
    else if (at >= 0) this.deliver();
  }

  private deliver(): void {
    if (this.waiting === undefined) this.refuse('an answer without a request');
    else this.waiting.answer(Buffer.concat(this.pieces));
    this.waiting = undefined;
    this.pieces = [];
    this.pendingBytes = 0;
  }

  private refuse(why: string): void {
    const remedy = 'what listens there is not a master daemon of Ganeti';
    this.break(new BackendError(`${this.path}: ${why}`, remedy));
  }

  private late(method: LuxiMethod): BackendError {
    const { pendingBytes } = this;
    const so = pendingBytes === 0 ? 'no answer' : `half an answer (${pendingBytes} bytes)`;
    return new BackendError(
      `${this.path}: ${so} to ${method} within ${this.limits.answerSeconds} s`,
      'the master is busy or hangs; try again, or allow more time with --answer-timeout',
    );
  }

  private cut(): BackendError {
    const { pendingBytes } = this;
    const where =
      pendingBytes === 0 ? 'without an answer' : `in the middle of an answer (after ${pendingBytes} bytes)`;
    return new ConnectionCut(
      `${this.path}: the connection was closed ${where}`,
      'the master daemon was restarted; try again',
    );
  }

  private break(fault: BackendError): void {
    if (this.fault) return;
    this.fault = fault;
    this.socket.destroy();
    this.waiting?.fail(fault);
  }
}
