/**
 * `npm run fuzz -- programs`: spoiled snapshots, messages, load files and monitoring data. Every one must be
 * read or refused with a clean message: no other exception, no hang, no stack trace, no output of hail ahead
 * of a failure.
 *
 * With `--programs` whole programs are run on such inputs, with options drawn at random. On top of that
 * nothing that a terminal obeys may reach it, the commands of scripts must be moves between nodes of the
 * cluster, and saved states must be read again.
 *
 * Exit status: 0 without findings, 1 with some, 2 on a bad command line.
 */
import { writeFileSync } from 'node:fs';
import { readArguments, refuse } from './arguments.ts';
import { tryPrograms } from './fuzz/launch.ts';
import { programCase } from './fuzz/program-case.ts';
import { type Finding, fuzzCase } from './fuzz/trial.ts';
import { watchReaders } from './fuzz/watch.ts';
import { launcherOf } from './launchers.ts';

const USAGE = `usage: npm run fuzz -- programs [options]
  --count N        inputs (default 10000)
  --seed S         first seed (default 1)
  --in-process     only the readers, no programs
  --programs       whole programs with options drawn at random, in place of the readers
  --launch N       inputs that also go through the real programs, spread over all (default 60)
  --ours PLACE     folder with our launchers, or "stock" (default: bin, or EVENKEEL_OURS)
  --timeout T      seconds of processor time for one input (default 10)
  --show           write the first seed's input to standard output instead`;

/** Findings that are shown in full; the others are counted. */
const SHOWN = 25;
const SHOWN_LENGTH = 500;

function showFinding(finding: Finding, again: string): void {
  // What a broken message carries must not reach the terminal.
  const what = finding.what
    .slice(0, SHOWN_LENGTH)
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\u00b7');
  console.log(`seed ${finding.seed} (${finding.target}; ${finding.how.join(', ')}): ${what}`);
  console.log(`    the input: npm run --silent fuzz -- programs ${again}--seed ${finding.seed} --show`);
}

async function main(): Promise<number> {
  const { values } = readArguments(USAGE, {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    'in-process': { type: 'boolean', default: false },
    programs: { type: 'boolean', default: false },
    launch: { type: 'string', default: '60' },
    ours: { type: 'string' },
    timeout: { type: 'string', default: '10' },
    show: { type: 'boolean', default: false },
  });
  const [count, seed, launches, limit] = [values.count, values.seed, values.launch, values.timeout].map(
    Number,
  );
  if (![count, seed, launches].every(Number.isInteger) || !(limit! > 0))
    refuse(USAGE, 'Counts and seeds are whole numbers, and a run has some time');
  if (values.show) {
    writeFileSync(1, (values.programs ? programCase(seed!) : fuzzCase(seed!)).bytes);
    return 0;
  }
  const report = await watchReaders(seed!, count!, limit!, values.programs);
  const findings = [...report.findings];
  const place = values.ours ?? process.env.EVENKEEL_OURS;
  const sample = values['in-process'] || values.programs ? 0 : Math.min(launches!, count!);
  for (let nth = 0; nth < sample; nth++) {
    // An odd stride, so that all targets are met.
    const trial = fuzzCase(seed! + nth + Math.floor((nth * (count! - sample)) / sample));
    findings.push(...(await tryPrograms(trial, (program) => launcherOf(program, place), limit!)));
  }
  const again = values.programs ? '--programs ' : '';
  for (const finding of findings.slice(0, SHOWN)) showFinding(finding, again);
  if (findings.length > SHOWN) console.log(`... and ${findings.length - SHOWN} more`);
  if (values.programs) console.log(`${count} runs of programs, ${findings.length} findings`);
  else
    console.log(
      `${count} inputs: ${report.accepted} read, ${report.refused} refused cleanly in process; ` +
        `${sample} also through the programs; ${findings.length} findings`,
    );
  return findings.length > 0 ? 1 : 0;
}

process.exitCode = await main();
