import { expect } from 'chai';
import { jobSets } from '../../../../../src/htools/plan/jobs.ts';
import {
  printedCommands,
  scriptFile,
  scriptWritten,
} from '../../../../../src/htools/programs/shared/steps/script.ts';
import { aPlan } from '../../../plan/cluster-builder.ts';
import { STORY_MOVES, storyCluster } from '../../../plan/story.ts';

const start = storyCluster();
const sets = jobSets(start, aPlan({ start, moves: STORY_MOVES }).steps);

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
  it('is that of the stock program', () => {
    const script = scriptFile(start, sets);
    expect(script.slice(0, SCRIPT_BEGINNING.length)).to.equal(SCRIPT_BEGINNING);
    expect(
      script.endsWith('  gnt-instance migrate -f inst7\n  gnt-instance replace-disks -n node1 inst7\n'),
    ).to.equal(true);
  });

  it('has nothing behind its head when there is nothing to do', () => {
    expect(scriptFile(start, [])).to.equal(
      SCRIPT_BEGINNING.slice(0, SCRIPT_BEGINNING.indexOf('\necho jobset')),
    );
  });

  it('is announced with its name', () => {
    expect(scriptWritten('x.sh')).to.equal("The commands have been written to file 'x.sh'\n");
  });

  it('numbers the jobs within a set', () => {
    const both = [[...sets[0]!, ...sets[1]!]];
    expect(scriptFile(start, both)).to.match(
      /\necho jobset 1, 2 jobs\n {2}echo job 1\/1\n[\s\S]*\n {2}echo job 1\/2\n/,
    );
  });
});

describe('the printed commands', () => {
  it('are indented and without checks', () => {
    expect(printedCommands(start, sets.slice(3, 5), false)).to.equal(`
Commands to run to reach the above solution:
  
  echo jobset 1, 1 jobs
    echo job 1/1
    gnt-instance replace-disks -n node3 inst3
  
  echo jobset 2, 1 jobs
    echo job 2/1
    gnt-instance replace-disks -n node3 inst4
`);
  });

  it('say when they are the first set alone', () => {
    expect(printedCommands(start, sets.slice(4, 5), true)).to.equal(`
First set of jobs:
  
  echo jobset 1, 1 jobs
    echo job 1/1
    gnt-instance replace-disks -n node3 inst4
`);
  });

  it('are a heading alone when there is nothing to do', () => {
    expect(printedCommands(start, [], false)).to.equal('\nCommands to run to reach the above solution:\n');
  });
});
