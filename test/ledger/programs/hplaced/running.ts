/** A running hplaced with an empty ledger, as its users start it, and a client for it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../bin/hplaced', import.meta.url));

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of many forms
  readonly body: any;
}

export class RunningService {
  readonly url: string;
  readonly folder: string;
  private readonly process: ChildProcess;
  stderr = '';

  private constructor(url: string, folder: string, process: ChildProcess) {
    this.url = url;
    this.folder = folder;
    this.process = process;
    process.stderr!.on('data', (chunk) => {
      this.stderr += chunk;
    });
  }

  static async start(...more: string[]): Promise<RunningService> {
    const folder = newFolder();
    const words = [
      '--listen',
      '127.0.0.1:0',
      ...(more.includes('--db') ? [] : ['--db', join(folder, 'ledger.db')]),
      ...more,
    ];
    const child = spawn(process.execPath, [LAUNCHER, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout!.once('data', (chunk) => resolve(String(chunk)));
      child.once('exit', (status) =>
        reject(new Error(`hplaced ended with status ${status}: ${child.stderr!.read()}`)),
      );
    });
    return new RunningService(/on (\S+) with/.exec(line)![1]!, folder, child);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'x-auth-token': 'admin',
        'openstack-api-version': 'placement 1.39',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  }

  /** Makes a provider with inventories. @returns its uuid */
  async provider(name: string, inventories: Record<string, number> = {}, parent?: string): Promise<string> {
    const made = await this.call('POST', '/resource_providers', {
      name,
      ...(parent ? { parent_provider_uuid: parent } : {}),
    });
    const uuid = made.body.uuid as string;
    if (Object.keys(inventories).length > 0)
      await this.call('PUT', `/resource_providers/${uuid}/inventories`, {
        resource_provider_generation: 0,
        inventories: Object.fromEntries(Object.entries(inventories).map(([key, total]) => [key, { total }])),
      });
    return uuid;
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  /** @returns the exit status, or the signal that it died of */
  async stop(): Promise<number | NodeJS.Signals | null> {
    const { exitCode, signalCode } = this.process;
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
      exitCode === null && signalCode === null
        ? this.process.once('exit', (status, signal) => resolve(status ?? signal))
        : resolve(exitCode ?? signalCode),
    );
    this.process.kill('SIGTERM');
    const status = await ended;
    return status;
  }

  /** Stops it, which ends well and has had nothing to say. */
  async end(): Promise<void> {
    expect(await this.stop()).to.equal(0);
    expect(this.stderr).to.equal('');
  }
}
