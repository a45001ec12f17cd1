/** What cannot be read as HTTP never becomes a request; it gets the same kind of document. */
import type { Socket } from 'node:net';
import { JSON_TYPE } from './accept.ts';
import { ApiError, TITLES } from './api-error.ts';
import type { Exchanges } from './exchanges.ts';
import { errorDocument, newRequestId } from './placement.ts';

/** Longest header block, bytes, and longest path with query, characters. */
export const MOST_HEADER_BYTES = 16_384;

const UNREADABLE: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The headers may have at most ${MOST_HEADER_BYTES} bytes in all.`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_INVALID_CONTENT_LENGTH: [400, 'content-length header must be an integer'],
};

export function answerUnreadable(
  exchanges: Exchanges,
  error: Error & { code?: string },
  socket: Socket,
): void {
  // Whoever could not even agree upon TLS in time can be told nothing.
  const isHttp = error.code?.startsWith('HPE_') || error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (!isHttp || !socket.writable) {
    socket.destroy();
    return;
  }
  const [[awaited, end] = []] = exchanges.underWayOn(socket);
  if (awaited?.headersSent || awaited?.req.complete) {
    // What is said now would be taken for its answer, or for a part of it.
    socket.pause();
    awaited.once('finish', () => answerUnreadable(exchanges, error, socket));
    return;
  }
  const [status, detail] = UNREADABLE[error.code ?? ''] ?? [400, 'This is not valid HTTP.'];
  end?.(status);
  const body = JSON.stringify(errorDocument(new ApiError(status, detail), newRequestId()));
  socket.end(
    `HTTP/1.1 ${status} ${TITLES[status]}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
