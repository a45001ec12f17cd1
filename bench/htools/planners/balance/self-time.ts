/** Where the time of a piece of work goes, by V8's own sampling profiler. */
import { Session } from 'node:inspector/promises';

const SAMPLE_EVERY_US = 200;
/** What the profiler counts under no file: garbage collection, the program's start, waiting. */
const ENGINE = '(engine)';

/** Microseconds spent in the functions of each source file themselves, while `work` runs. */
export async function selfTimeByFile(work: () => void): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
  await session.post('Profiler.start');
  work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const fileOf = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame.url || ENGINE]));
  const times = new Map<string, number>();
  profile.samples?.forEach((id, at) => {
    const file = fileOf.get(id) ?? ENGINE;
    times.set(file, (times.get(file) ?? 0) + (profile.timeDeltas?.[at] ?? 0));
  });
  return times;
}
