import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type JobSet, jobSets } from '../../../../../src/htools/plan/jobs.ts';
import {
  commandsOf,
  emptyScript,
  jobSetsText,
} from '../../../../../src/htools/programs/shared/steps/script.ts';
import { newFolder } from '../../../../builders/folder.ts';
import { aPlan } from '../../../plan/cluster-builder.ts';
import { STORY_MOVES, storyCluster } from '../../../plan/story.ts';

const start = storyCluster();
const sets = jobSets(start, aPlan({ start, moves: STORY_MOVES }).steps);

const textOf = (printCommands: string, some: readonly JobSet[], firstJobGroup = false): string =>
  jobSetsText({ printCommands, firstJobGroup }, () => commandsOf(start, some));

/** Beginning of what stock hbal writes for the story cluster. */
const SCRIPT_BEGINNING = `\
#!/bin/sh

# Auto-generated script for executing cluster rebalancing

# To stop, touch the file /tmp/stop-htools

set -e

check() {
  if [ -f /tmp/stop-htools ]; then
    echo 'Stop requested, exiting'
    exit 0
  fi
}


echo jobset 1, 1 jobs
  echo job 1/1
  check
  gnt-instance failover -f inst6
  gnt-instance replace-disks -n node3 inst6
  gnt-instance failover -f inst6

echo jobset 2, 1 jobs
  echo job 2/1
  check
`;

describe('the shell script', () => {
  const folder = newFolder();
  const file = join(folder, 'x.sh');

  function scriptOf(some: readonly JobSet[]): string {
    expect(textOf(file, some)).to.equal(`The commands have been written to file '${file}'\n`);
    return readFileSync(file, 'utf8');
  }

  it('is that of the stock program', () => {
    const script = scriptOf(sets);
    expect(script.slice(0, SCRIPT_BEGINNING.length)).to.equal(SCRIPT_BEGINNING);
    expect(
      script.endsWith('  gnt-instance migrate -f inst7\n  gnt-instance replace-disks -n node1 inst7\n'),
    ).to.equal(true);
  });

  it('has nothing behind its head when there is nothing to do', () => {
    expect(scriptOf([])).to.equal(SCRIPT_BEGINNING.slice(0, SCRIPT_BEGINNING.indexOf('\necho jobset')));
  });

  it('numbers the jobs within a set', () => {
    const both = [[...sets[0]!, ...sets[1]!]];
    expect(scriptOf(both)).to.match(
      /\necho jobset 1, 2 jobs\n {2}echo job 1\/1\n[\s\S]*\n {2}echo job 1\/2\n/,
    );
  });
});

describe('the printed commands', () => {
  it('are indented and without checks', () => {
    expect(textOf('-', sets.slice(3, 5))).to.equal(`
Commands to run to reach the above solution:
  
  echo jobset 1, 1 jobs
    echo job 1/1
    gnt-instance replace-disks -n node3 inst3
  
  echo jobset 2, 1 jobs
    echo job 2/1
    gnt-instance replace-disks -n node3 inst4
`);
  });

  it('are those of the first set alone, where that is asked for', () => {
    expect(textOf('-', sets.slice(4), true)).to.equal(`
First set of jobs:
  
  echo jobset 1, 1 jobs
    echo job 1/1
    gnt-instance replace-disks -n node3 inst4
`);
  });

  it('are a heading alone when there is nothing to do', () => {
    expect(textOf('-', [])).to.equal('\nCommands to run to reach the above solution:\n');
  });

  it('is no matter where nothing is to be done and it cannot be looked at', () => {
    expect(() => emptyScript('x'.repeat(300))).to.not.throw();
  });
});
