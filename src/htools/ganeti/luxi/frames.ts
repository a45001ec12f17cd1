/** Framing of LUXI: each message is followed by a byte 0x03. Source: Ganeti's design of LUXI. */

export const END_OF_MESSAGE = 0x03;

/** One more byte than a message may have is a server without end. */
export type FrameTrouble = 'too-long' | 'more-than-one';

/** Puts one message together from the pieces in which it arrives. */
export class FrameReader {
  private pieces: Buffer[] = [];
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  /** How much of a message is there that has not ended yet. */
  get pendingBytes(): number {
    return this.length;
  }

  /**
   * Takes a piece.
   * @returns the message without its end mark, undefined while it is not whole, or what is wrong: since there
   *   is one answer to one request, nothing may follow the mark
   */
  push(piece: Buffer): Buffer | FrameTrouble | undefined {
    const at = piece.indexOf(END_OF_MESSAGE);
    if (at < 0) {
      this.length += piece.length;
      if (this.length > this.maxBytes) return 'too-long';
      this.pieces.push(piece);
      return undefined;
    }
    if (at !== piece.length - 1) return 'more-than-one';
    if (this.length + at > this.maxBytes) return 'too-long';
    const message = Buffer.concat([...this.pieces, piece.subarray(0, at)]);
    this.pieces = [];
    this.length = 0;
    return message;
  }
}
