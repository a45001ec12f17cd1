/** A headless Chromium, spoken to over its DevTools protocol through two pipes: no port, and no package in between. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where the browser is; undefined: there is none on this machine. `CHROMIUM` names another one. */
export const chromiumPath = (): string | undefined =>
  [process.env.CHROMIUM ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));

const ANSWER_LIMIT_MS = 60_000;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export class Chromium {
  private readonly child: ChildProcess;
  private readonly folder = mkdtempSync(join(tmpdir(), 'evenkeel-chromium-'));
  private readonly waiting = new Map<number, (message: Message) => void>();
  private readonly listeners = new Set<(method: string, params: Record<string, unknown>) => void>();
  private session: string | undefined;
  private lastId = 0;

  private constructor(path: string) {
    // Nothing here reads pages of others, and the sandbox cannot be had by root.
    const args = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-pipe',
      '--no-first-run',
    ];
    this.child = spawn(path, [...args, '--disable-background-networking', `--user-data-dir=${this.folder}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    let rest = '';
    (this.child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (rest + chunk).split('\0');
      rest = messages.pop()!;
      for (const text of messages) this.take(JSON.parse(text));
    });
  }

  /** With one empty page. */
  static async start(path: string): Promise<Chromium> {
    const browser = new Chromium(path);
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    browser.session = sessionId as string;
    for (const domain of ['Page', 'Network', 'Runtime', 'Log', 'Performance'])
      await browser.send(`${domain}.enable`);
    return browser;
  }

  private take(message: Message): void {
    if (message.id === undefined)
      for (const listen of this.listeners) listen(message.method!, message.params!);
    else this.waiting.get(message.id)?.(message);
  }

  /** @throws Error when the browser refuses, or says nothing for a minute */
  send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const clock = setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_LIMIT_MS);
      this.waiting.set(id, ({ result, error }) => {
        clearTimeout(clock);
        this.waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result!);
      });
      const session = this.session && { sessionId: this.session };
      (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    });
  }

  /** Calls `listen` for every event until the returned function is called. */
  on(listen: (method: string, params: Record<string, unknown>) => void): () => void {
    this.listeners.add(listen);
    return () => this.listeners.delete(listen);
  }

  /** Value of an expression in the page; plain data only. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(`in the page: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: T }).value;
  }

  /** Presses a key, as a person would. */
  async press(key: string, code: number, text?: string): Promise<void> {
    const one = { key, code: key, windowsVirtualKeyCode: code };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...one, ...(text && { text }) });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...one });
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill();
    await gone;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
