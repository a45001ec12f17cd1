/** Headless Chromium, driven over a pipe with its own protocol: nothing to install but the browser. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
];

export const hasBrowser = (): boolean => existsSync(CHROMIUM);

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export class Browser {
  /** Console messages and uncaught errors of the page. */
  readonly complaints: string[] = [];
  private readonly process: ChildProcess;
  private readonly folder: string;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private count = 0;
  private session: string | undefined;

  private constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'evenkeel-browser-'));
    this.process = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${this.folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    let rest = '';
    (this.process.stdio[4] as Readable).on('data', (chunk: Buffer) => {
      const parts = (rest + chunk).split('\0');
      rest = parts.pop()!;
      for (const part of parts) this.receive(JSON.parse(part) as Message);
    });
  }

  static async open(width = 1280, height = 1000): Promise<Browser> {
    const browser = new Browser();
    const { targetInfos } = (await browser.call('Target.getTargets')) as {
      targetInfos: { targetId: string; type: string }[];
    };
    const page = targetInfos.find(({ type }) => type === 'page')!;
    const attached = await browser.call('Target.attachToTarget', { targetId: page.targetId, flatten: true });
    browser.session = attached.sessionId as string;
    for (const domain of ['Page', 'Runtime', 'Log']) await browser.call(`${domain}.enable`);
    await browser.call('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
    return browser;
  }

  async goto(url: string): Promise<void> {
    await this.call('Page.navigate', { url });
    await this.until(`document.readyState === 'complete' && location.href !== 'about:blank'`);
  }

  /** The value of an expression in the page; a promise is awaited. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.call('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })) as { result: { value: T }; exceptionDetails?: { text: string } };
    if (exceptionDetails) throw new Error(`${exceptionDetails.text}: ${expression}`);
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
    const { data } = await this.call('Page.captureScreenshot', {
      format: 'png',
      captureBeyondViewport: true,
    });
    return Buffer.from(data as string, 'base64');
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }

  private call(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.count;
    const session = this.session === undefined ? {} : { sessionId: this.session };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result ?? {}),
      );
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
    if (
      method === 'Runtime.exceptionThrown' ||
      method === 'Log.entryAdded' ||
      method === 'Runtime.consoleAPICalled'
    )
      this.complaints.push(`${method}: ${JSON.stringify(params)}`);
  }
}
