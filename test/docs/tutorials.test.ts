/** Every command of the tutorials does what they say. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../builders/folder.ts';
import { itInLongRun } from '../builders/seeds.ts';
import { ROOT, runInShell } from '../suite/run-built.ts';

const FOLDER = join(ROOT, 'docs/tutorials');
const BLOCK = /```(console|yaml)\n(.*?)```/gs;

/**
 * The plan is the same on any number of threads, and each of those has the search optimised for itself: for
 * the page's small cluster that costs more than the search.
 */
const onOneThread = (command: string): string => command.replace(/ --effort=\S+/, '$& --jobs=1');

/** Commands with the status that they end with and the lines that are shown of what they print. */
const commandsOf = (block: string) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [line, ...shown] = text.trimEnd().split('\n');
      const [command, status = '0'] = line!.split(' # ends with ');
      return { command: command!, status: Number(status), shown: shown.filter((one) => one !== '...') };
    });

describe('the tutorials', () => {
  for (const page of readdirSync(FOLDER))
    itInLongRun(`tell of nothing in ${page} that does not happen`, () => {
      const folder = newFolder();
      symlinkSync(join(ROOT, 'testdata'), join(folder, 'testdata'));
      let run = 0;
      for (const [, language, block] of readFileSync(join(FOLDER, page), 'utf8').matchAll(BLOCK)) {
        if (language === 'yaml') writeFileSync(join(folder, /^# (\S+)/.exec(block!)![1]!), block!);
        else
          for (const { command, status, shown } of commandsOf(block!)) {
            const ended = runInShell(onOneThread(command), folder);
            expect(ended.status, `${command}\n${ended.stderr}`).to.equal(status);
            for (const line of shown) expect(ended.stdout, command).to.include(line);
            run++;
          }
      }
      expect(run).to.be.above(5);
    });
});
