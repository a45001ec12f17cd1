/**
 * A headless Chromium, spoken to over its DevTools protocol through two pipes: no port, and nothing to
 * install but the browser.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ANSWER_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 10_000;
const REMOVE_TRIES = 100;
const REMOVE_WAIT_MS = 50;
const FLAGS = [
  '--headless=new',
  // Nothing here reads pages of others, and the sandbox cannot be had by root.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
];

/** Where the browser is; undefined: there is none on this machine. `CHROMIUM` names another one. */
const browserPath = (): string | undefined =>
  [process.env.CHROMIUM ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));

export const hasBrowser = (): boolean => browserPath() !== undefined;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** A helper of the browser may still write a last file: rmSync's own retries empty no folder anew. */
async function removeFolder(folder: string): Promise<void> {
  for (let left = REMOVE_TRIES; ; left--)
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, REMOVE_WAIT_MS));
    }
}

export class Browser {
  /** Console messages and uncaught errors of the page. */
  readonly complaints: string[] = [];
  private readonly process: ChildProcess;
  private readonly folder: string;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private readonly listeners = new Set<(method: string, params: Record<string, unknown>) => void>();
  private count = 0;
  private session: string | undefined;

  private constructor(path: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'evenkeel-browser-'));
    this.process = spawn(path, [...FLAGS, `--user-data-dir=${this.folder}`, '--no-startup-window'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    let rest = '';
    (this.process.stdio[4] as Readable).on('data', (chunk: Buffer) => {
      const parts = (rest + chunk).split('\0');
      rest = parts.pop()!;
      for (const part of parts) this.receive(JSON.parse(part) as Message);
    });
    this.process.once('exit', () => {
      for (const [id, answer] of this.waiting) answer({ id, error: { message: 'the browser has ended' } });
      this.waiting.clear();
    });
  }

  /** With one empty page. @throws Error when there is no browser */
  static async open(width = 1280, height = 1000): Promise<Browser> {
    const path = browserPath();
    if (path === undefined) throw new Error('there is no Chromium');
    const browser = new Browser(path);
    // Not the page that it starts with: the browser may answer before it has that one.
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
    const attached = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    browser.session = attached.sessionId as string;
    for (const domain of ['Page', 'Network', 'Runtime', 'Log', 'Performance'])
      await browser.send(`${domain}.enable`);
    await browser.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
    return browser;
  }

  async goto(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
    await this.until(`document.readyState === 'complete' && location.href !== 'about:blank'`);
  }

  /** The value of an expression in the page; a promise is awaited. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    })) as { result: { value: T }; exceptionDetails?: { text: string } };
    if (exceptionDetails) throw new Error(`in the page: ${exceptionDetails.text}: ${expression}`);
    return result.value;
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string, seconds = 10): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`))) {
      if (Date.now() > end) throw new Error(`never came true: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** A picture of the whole page, PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', {
      format: 'png',
      captureBeyondViewport: true,
    });
    return Buffer.from(data as string, 'base64');
  }

  /** Calls `listen` for every event until the returned function is called. */
  on(listen: (method: string, params: Record<string, unknown>) => void): () => void {
    this.listeners.add(listen);
    return () => this.listeners.delete(listen);
  }

  /** Presses a key, as a person would. */
  async press(key: string, code: number, text?: string): Promise<void> {
    const one = { key, code: key, windowsVirtualKeyCode: code };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...one, ...(text && { text }) });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...one });
  }

  /** Asks the browser to end: what is killed leaves helpers behind that go on to write into its folder. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    const clock = setTimeout(() => this.process.kill('SIGKILL'), CLOSE_LIMIT_MS);
    this.send('Browser.close').catch(() => {});
    await ended;
    clearTimeout(clock);
    await removeFolder(this.folder);
  }

  /** @throws Error when the browser refuses, or says nothing for a minute */
  send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.count;
    const session = this.session === undefined ? {} : { sessionId: this.session };
    return new Promise((resolve, reject) => {
      const clock = setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_LIMIT_MS);
      this.waiting.set(id, ({ result, error }) => {
        clearTimeout(clock);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result ?? {});
      });
      (this.process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    });
  }

  private receive(message: Message): void {
    if (message.id !== undefined) {
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
      return;
    }
    const { method, params } = message;
    for (const listen of this.listeners) listen(method!, params!);
    if (
      method === 'Runtime.exceptionThrown' ||
      method === 'Log.entryAdded' ||
      method === 'Runtime.consoleAPICalled'
    )
      this.complaints.push(`${method}: ${JSON.stringify(params)}`);
  }
}
