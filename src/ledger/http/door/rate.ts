/** How often one client may ask: a bucket that fills at the allowed rate and holds ten seconds' worth. */
import { kept } from '../../../kit/kept.ts';
import { MS_PER_S } from '../../../kit/units.ts';

const BURST_SECONDS = 10;
/** Addresses that are remembered; of more, the one that has been known longest is forgotten. */
const MOST_BUCKETS = 10_000;

export class RateLimit {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  /** @param perSecond requests a second and client; 0: no limit */
  constructor(private readonly perSecond: number) {}

  /** Seconds to wait; 0 when the request may pass. @param now milliseconds on any steady clock */
  secondsToWait(client: string, now: number): number {
    if (this.perSecond === 0) return 0;
    const full = this.perSecond * BURST_SECONDS;
    const bucket = kept(this.buckets, client, () => {
      if (this.buckets.size >= MOST_BUCKETS) this.buckets.delete(this.buckets.keys().next().value!);
      return { tokens: full, at: now };
    });
    bucket.tokens = Math.min(full, bucket.tokens + ((now - bucket.at) / MS_PER_S) * this.perSecond);
    bucket.at = now;
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return 0;
    }
    return (1 - bucket.tokens) / this.perSecond;
  }
}
